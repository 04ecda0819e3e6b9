import { describe, expect, test } from 'vitest'
import { initialsOf } from './initials.ts'

describe('the initials of a name', () => {
  test.each([
    ['Jane Reader', 'JR'],
    ['jane van der reader', 'JR'],
    ['Plato', 'P'],
    ['  Ursula   Le Guin ', 'UG'],
    ['Élodie Ångström', 'ÉÅ'],
    ['“Jane” (Reader)', 'JR'],
    ['Лев Толстой', 'ЛТ'],
    ['曹雪芹', '曹'],
    ['紫 式部', '紫'],
    ['김 소월', '김'],
    ['أحمد شوقي', 'أ'],
    ['रवीन्द्रनाथ ठाकुर', 'रठा'],
    ['Agent 47', 'A4'],
    ['🌸 Hana', 'H'],
    ['ǆ', 'Ǆ'],
  ])('of %s are %s', (name, initials) => expect(initialsOf(name)).toBe(initials))

  test('keep a letter and its mark together, however it was written', () =>
    expect(initialsOf('E\u0301mile Zola')).toBe('ÉZ'))

  test.each(['', '   ', '🌸', '…'])('are none for %j', (name) => expect(initialsOf(name)).toBe(''))
})
