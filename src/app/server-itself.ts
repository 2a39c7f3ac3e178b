import { inProcess, type InProcess } from '../verbs/in-process.ts';
import type { Verbs } from '../verbs/verbs.ts';

/** Who the server is when it makes requests of itself. */
const SERVER = { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} };

/** The server as a client of itself. @param userAgent also the manager of the fields that it sets. */
export function serverItself(verbs: Verbs, userAgent: string): InProcess {
  return inProcess(verbs, { user: SERVER, userAgent });
}
