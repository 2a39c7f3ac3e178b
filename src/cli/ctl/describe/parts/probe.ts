import type { Probe } from '../objects.ts';

/** What a probe asks, and how often. */
export function probeText(probe: Probe): string {
  const { exec, httpGet, tcpSocket, grpc } = probe;
  const attributes = attributeText(probe);
  if (exec !== undefined) return `exec [${(exec.command ?? []).join(' ')}] ${attributes}`;
  if (httpGet !== undefined) {
    const { scheme = '', host = '', port = 0, path = '' } = httpGet;
    return `http-get ${scheme.toLowerCase()}://${hostText(host)}:${port}${pathText(path)} ${attributes}`;
  }
  if (tcpSocket !== undefined)
    return `tcp-socket ${tcpSocket.host ?? ''}:${tcpSocket.port ?? 0} ${attributes}`;
  if (grpc !== undefined) return `grpc <pod>:${grpc.port ?? 0} ${grpc.service ?? ''} ${attributes}`;
  return `unknown ${attributes}`;
}

function attributeText(probe: Probe): string {
  return [
    `delay=${probe.initialDelaySeconds ?? 0}s`,
    `timeout=${probe.timeoutSeconds ?? 0}s`,
    `period=${probe.periodSeconds ?? 0}s`,
    `#success=${probe.successThreshold ?? 0}`,
    `#failure=${probe.failureThreshold ?? 0}`,
  ].join(' ');
}

function hostText(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** What may not stand in the path of an address is escaped. */
function pathText(path: string): string {
  const rooted = path === '' || path.startsWith('/') ? path : `/${path}`;
  return encodeURI(rooted.toWellFormed()).replace(
    /[!*'()?#]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
