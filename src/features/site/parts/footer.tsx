import { Link } from 'react-router'
import { useFacts } from './use-facts.ts'
import './footer.css'

export function Footer() {
  const facts = useFacts()
  return (
    <footer className="site-footer">
      <div className="column">
        <nav aria-label="Quick links">
          <ul>
            <li>
              <Link to="/">Home</Link>
            </li>
            <li>
              <Link to="/plans">Plans</Link>
            </li>
            <li>
              <Link to="/support">Support</Link>
            </li>
            <li>
              <Link to="/feeds">Feeds</Link>
            </li>
            {facts === undefined ? null : (
              <li>
                <a href={facts.communityUrl} target="_blank" rel="noopener noreferrer">
                  Community<span className="sr-only"> (opens in a new tab)</span>
                </a>
              </li>
            )}
          </ul>
        </nav>
        <nav aria-label="Legal">
          <ul>
            <li>
              <Link to="/privacy">Privacy Policy</Link>
            </li>
            <li>
              <Link to="/terms">Terms of Service</Link>
            </li>
            <li>
              <Link to="/report">Report content</Link>
            </li>
            <li>
              <Link to="/dmca">DMCA</Link>
            </li>
            {facts === undefined ? null : (
              <li>
                <a href={`mailto:${facts.dmcaEmail}`}>DMCA mail</a>
              </li>
            )}
            <li>
              <Link to="/transparency">Transparency</Link>
            </li>
          </ul>
        </nav>
        {facts === undefined ? null : (
          <p>
            {`© ${facts.year} ${facts.brandName}`}
            {facts.brandLine === '' ? null : <span className="site-line">{facts.brandLine}</span>}
          </p>
        )}
      </div>
    </footer>
  )
}
