/** Words between spaces, but that those of a template between braces belong together. */
export function splitWords(line: string): string[] {
  return line.match(/(?:\{[^{}]*\}|\S)+/g) ?? [];
}

export interface Access {
  readonly url: string;
  readonly token: string;
  readonly namespace: string;
}

/** The text of a configuration file that leads to a server. */
export function kubeconfig({ url, token, namespace }: Access): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'it',
    clusters: [{ name: 'it', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it', namespace } }],
    users: [{ name: 'it', user: { token } }],
  });
}
