import { ButtonLink, TextLink } from '../../../ui/button.tsx'
import { calendarDayInWords } from '../../../browser/format-instant.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { BlocksOfText } from '../../office/texts/parts/blocks-of-text.tsx'
import { blocksIn } from '../../office/texts/text-blocks.ts'
import { noticesContext } from '../page-context.ts'
import { type Agent, agentIn, daysLeft } from '../transparency/agent.ts'
import type { Route } from './+types/dmca.ts'
import '../parts/open-pages.css'

export function loader({ context }: Route.LoaderArgs) {
  const { texts, config, clock } = context.get(noticesContext)
  const { brandName, dmcaEmail } = texts.inForce
  const agent = agentIn(texts) ?? null
  const until = agent?.registeredUntil ?? ''
  return {
    agent,
    hasEnded: until !== '' && daysLeft(until, dayOf(clock.now(), config.timeZone)) < 0,
    dmcaEmail,
    repeated: blocksIn(texts.get('agent.repeated')),
    brandName,
    publicUrl: config.publicUrl,
  }
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData === undefined) return [{ title: 'Error' }, { name: 'robots', content: 'noindex' }]
  const { brandName, publicUrl } = loaderData
  return pageMeta({
    title: 'DMCA',
    brand: brandName,
    description: `The contact for copyright at ${brandName}, and how to send a notice or a counter-notice.`,
    canonical: `${publicUrl}/dmca`,
  })
}

/** The designated agent, and the ways of 17 U.S.C. 512 (docs/spec/notices.md#agent). */
export default function Dmca({ loaderData: { agent, hasEnded, dmcaEmail, repeated } }: Route.ComponentProps) {
  return (
    <div className="column open-page">
      <h1>DMCA</h1>
      <p>For copyright owners, and for people whose entry was removed, under the law of the United States.</p>
      <section aria-labelledby="agent">
        <h2 id="agent">Designated agent</h2>
        {agent === null ? (
          <>
            <p>
              No designated agent is named here yet. You can still reach the people who run this site: use the form
              below, or send an email.
            </p>
            <p>
              <MailLink address={dmcaEmail} />
            </p>
          </>
        ) : (
          <AgentCard agent={agent} hasEnded={hasEnded} />
        )}
      </section>
      <section aria-labelledby="notice">
        <h2 id="notice">Send a notice</h2>
        <p>
          Does something here infringe your copyright? The form asks for what the law requires, and nothing more. You
          get a reference number, an email, and a private page where you can follow your notice.
        </p>
        <p>
          <ButtonLink look="solid" label="Report an infringement" to="/report/copyright" />
        </p>
      </section>
      <section aria-labelledby="counter-notice">
        <h2 id="counter-notice">Send a counter-notice</h2>
        <p>
          Was your entry removed by mistake, or confused with something else? Once we accept your counter-notice, we
          forward it to the person who sent the notice. We put the entry back 10 to 14 business days after we received
          your counter-notice, unless we learn that they have gone to court.
        </p>
        <p>
          <ButtonLink label="Send a counter-notice" to="/report/counter-notice" />
        </p>
      </section>
      <section aria-labelledby="repeated">
        <h2 id="repeated">Repeated infringement</h2>
        <BlocksOfText blocks={repeated} />
      </section>
      <p>
        What became of earlier notices: <TextLink to="/transparency">Transparency</TextLink>.
      </p>
    </div>
  )
}

function AgentCard({ agent, hasEnded }: { agent: Agent; hasEnded: boolean }) {
  const { name, organization, address, phone, email, registration, registeredUntil } = agent
  return (
    <dl className="open-facts">
      {name === '' ? null : <Fact label="Name">{name}</Fact>}
      {organization === '' ? null : <Fact label="Organization">{organization}</Fact>}
      {address.length === 0 ? null : (
        <Fact label="Address">
          {[...new Set(address)].map((line) => (
            <span key={line} className="open-line">
              {line}
            </span>
          ))}
        </Fact>
      )}
      {phone === '' ? null : (
        <Fact label="Telephone">
          <a className="text-link" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
            {phone}
          </a>
        </Fact>
      )}
      <Fact label="Email">
        <MailLink address={email} />
      </Fact>
      {registration === '' ? null : <Fact label="Registration">{`${registration}, U.S. Copyright Office`}</Fact>}
      {registeredUntil === '' ? null : (
        <Fact label={hasEnded ? 'Registration ended' : 'Registered until'}>{calendarDayInWords(registeredUntil)}</Fact>
      )}
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}

function MailLink({ address }: { address: string }) {
  return (
    <a className="text-link" href={`mailto:${address}?subject=Copyright%20notice`}>
      {address}
    </a>
  )
}
