import { request } from 'node:https';

/** The status of a GET without credentials. The path goes out as it is given. */
export function fetchStatus(url: string): Promise<number> {
  const { origin, hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const options = {
      hostname,
      port,
      path: url.slice(origin.length),
      rejectUnauthorized: false,
      agent: false as const,
    };
    request(options, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}
