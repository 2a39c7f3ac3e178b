const HOST = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const DOMAIN = String.raw`(?:${HOST}(?:\.${HOST})*|\[[0-9A-Fa-f:]+\])(?::\d+)?`;
const COMPONENT = '[a-z0-9]+(?:(?:[.]|__?|-+)[a-z0-9]+)*';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,}';
const REFERENCE = new RegExp(
  String.raw`^(?:${DOMAIN}/)?${COMPONENT}(?:/${COMPONENT})*(?::\w[\w.-]{0,127})?(?:@${DIGEST})?$`,
);
/** Names are shorter than that. */
const LONGEST = 512;

/** Whether a text may name an image: `[HOST[:PORT]/]PATH[:TAG][@DIGEST]`. */
export function isImageReference(text: string): boolean {
  return text.length <= LONGEST && REFERENCE.test(text);
}
