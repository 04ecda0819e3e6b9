import { Icon } from '../../../ui/icon.tsx'
import { useTheme } from './theme.tsx'

/** The picture follows the body's class, so that it is right before the script is. */
export function ThemeSwitch() {
  const { theme, toggle } = useTheme()
  return (
    <button
      type="button"
      className="button button-icon theme-switch with-script"
      aria-label="Dark theme"
      aria-pressed={theme === 'dark'}
      title="Switch theme"
      onClick={toggle}
    >
      <span className="when-light">
        <Icon name="moon" />
      </span>
      <span className="when-dark">
        <Icon name="sun" />
      </span>
    </button>
  )
}
