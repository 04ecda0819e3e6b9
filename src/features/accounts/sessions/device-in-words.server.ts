import Bowser from 'bowser'

export function deviceInWords(userAgent: string): string {
  if (userAgent === '') return 'Unknown device'
  const { browser, os } = Bowser.parse(userAgent)
  const parts = [browser.name, os.name].filter((part) => part !== undefined && part !== '')
  return parts.length === 0 ? 'Unknown device' : parts.join(' on ')
}
