const names = [
  'Noor Jansen',
  'Kofi Mensah',
  'Mateo Rojas',
  'Haruki Sato',
  'Jakub Wójcik',
  'Daniel Weber',
  'Camille Laurent',
  'Olga Smirnova',
  'Giulia Conti',
  'Anjali Rao',
  'Anders Holm',
  'Ana Beatriz Lima',
  'Emily Carter',
  'Arjun Mehta',
  'Priya Nair',
  'Ines Ferreira',
  'Fernanda Alves',
  'Rafael Costa',
  'Sofia Rossi',
  "Liam O'Connor",
  'Lucía Fernández',
  'Miriam Cohen',
  'Emeka Nwosu',
  'Aiko Tanaka',
  'Fatima Zahra',
  'Mai Nguyen',
  'Dimitra Pappas',
  'Yuki Nakamura',
  'Agnieszka Nowak',
  'Kaito Mori',
  'Elif Yılmaz',
  'Ruth Adler',
  'Leila Haddad',
  'Ahmed El-Sayed',
  'Kateřina Dvořáková',
  'Chiara Ricci',
  'Astrid Lindqvist',
  'Amara Diallo',
  'Hana Novotná',
  'Lars Jensen',
  'Felix Braun',
  'Magnus Berg',
  'Adaeze Okafor',
  'Chen Wei',
  'João Pereira',
  'Nadia Rahman',
  'Björn Eriksson',
  'Jean-Luc Moreau',
  'Owen Davies',
  'Carlos Mendoza',
  'Ivan Kovač',
  'Elena Petrova',
  'Lin Mei',
  'Tomás Herrera',
  'Marta Kowalska',
  'Grace Thompson',
  'Beatriz Souza',
] as const

/** A member of the demo, without a login that anybody knows. */
export interface DemoMember {
  name: string
  /** Folded. */
  email: string
  /** When they joined, before the first start. */
  daysAgo: number
}

/** The first joined almost a year before, the last yesterday; ever more of them as time goes on. */
export const demoMembers: readonly DemoMember[] = names.map((name, i) => ({
  name,
  email: `${name
    .replaceAll('ı', 'i')
    .normalize('NFD')
    .replace(/[^A-Za-z -]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.')}@members.example`,
  daysAgo: Math.round(357 * (1 - i / names.length) ** 1.5) + 1,
}))
