/** Invisible characters, and those that turn the direction of a line: two names or addresses could look like one. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u

/**
 * The joiners of Persian, of Indic scripts and of emoji, between letters or symbols; a vowel sign belongs to its letter. The
 * one that makes an emoji of a symbol may be the last of a name.
 */
const joiners = /(?<=[\p{L}\p{M}\p{S}])(?:\uFE0F?[\u200C\u200D]|\uFE0F)(?=[\p{L}\p{S}])|(?<=\p{S})\uFE0F/gu

/**
 * Whether a text holds what nobody sees, or what turns the direction of a line.
 * @param options.mayJoin whether it may have the joiners that its script or emoji needs: names may, addresses may not
 */
export function hasInvisible(text: string, { mayJoin }: { mayJoin: boolean }): boolean {
  return invisible.test(mayJoin ? text.replaceAll(joiners, '') : text)
}
