import { type Kysely, sql } from 'kysely'

/** The prohibited names that every site has (docs/spec/publishing.md#prohibited-terms). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into prohibited_lists (version) values (0)`.execute(db)
  await sql`
    insert into prohibited_terms (list, term_folded, is_built_in)
    select 'refused', unnest(array[
      'leaked', 'leaks', 'warez', 'cracked software', 'hacked account', 'stolen pictures', 'stolen videos',
      'stolen photos', 'hidden camera', 'spy cam', 'spycam', 'deepfake', 'deepfakes', 'non consensual', 'nonconsensual',
      'revenge porn', 'porn', 'xxx', 'nsfw', 'onlyfans',
      'anal sex', 'barely legal', 'big boobs', 'blowjob', 'blowjobs', 'camgirl', 'camgirls', 'creampie', 'cumshot',
      'cumshots', 'gangbang', 'handjob', 'hentai', 'jailbait', 'lolicon', 'milf', 'milfs', 'porno', 'pornstar',
      'pornstars', 'sex tape', 'sex tapes', 'sextape', 'sextapes', 'shotacon', 'tits', 'upskirt']), true
    union all
    select 'sexual', unnest(array[
      'boobs', 'erotic', 'erotica', 'masturbation', 'naked', 'nude', 'nudes', 'nudity', 'pornographic', 'pornography',
      'sex', 'sexy', 'striptease', 'topless']), true
    on conflict (list, term_folded) do update set is_built_in = true`.execute(db)
  // Some of these name a genre by themselves: 'Children'.
  await sql`
    insert into prohibited_terms (list, term_folded, is_built_in, names_category)
    select 'minority', term, true, term = any (array['child', 'children', 'childrens', 'infant', 'infants', 'juvenile',
                                                     'kid', 'kids', 'toddler', 'toddlers'])
      from unnest(array[
        'adolescent', 'adolescents', 'child', 'children', 'childrens', 'infant', 'infants', 'juvenile', 'juveniles', 'kid',
        'kids', 'little boy', 'little boys', 'little girl', 'little girls', 'loli', 'lolita', 'minors', 'preteen',
        'preteens', 'schoolboy', 'schoolboys', 'schoolgirl', 'schoolgirls', 'teen', 'teenage', 'teenager', 'teenagers',
        'teens', 'toddler', 'toddlers', 'tween', 'tweens', 'underage', 'young boy', 'young boys', 'young girl',
        'young girls']) as term`.execute(db)
}
