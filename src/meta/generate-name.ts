/** Letters and digits of generated names: no vowels and nothing easily confused, so that no words come out. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const LONGEST_NAME = 63;

/** A name made from `metadata.generateName`: the prefix, cut so that the name fits, and five random characters. */
export function generateName(prefix: string, random: () => number): string {
  let name = prefix.slice(0, LONGEST_NAME - SUFFIX_LENGTH);
  for (let i = 0; i < SUFFIX_LENGTH; i++) name += ALPHABET.charAt(Math.floor(random() * ALPHABET.length));
  return name;
}
