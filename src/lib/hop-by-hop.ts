/** Headers that concern one connection only (RFC 9110 section 7.6.1): who passes a message on leaves them out. */
export const HOP_BY_HOP: readonly string[] = [
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
