/**
 * Records what a server answers to the writes of `test/fixtures/rules/<name>.json`: fills in what is wanted of each.
 *
 *     node hack/record-rules.ts https://127.0.0.1:6443 TOKEN NAME...
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { replay, type Ask, type RuleGroup } from '../test/support/rule-cases.ts';
import type { JsonObject } from '../src/meta/object.ts';

const [server = '', token = '', ...names] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

const ask: Ask = (line, body) => {
  const [method, path] = line.split(' ');
  return new Promise((resolve, reject) => {
    const sent = request(`${server}${path}`, {
      method,
      agent,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const object = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
        resolve({ status: response.statusCode ?? 0, object });
      });
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
};

/** One line a case: a change of one shows as one line. */
function write({ cases, ...group }: RuleGroup): string {
  const head = JSON.stringify(group).slice(0, -1);
  return `${head},"cases":[\n${cases.map((one) => JSON.stringify(one)).join(',\n')}]}`;
}

for (const name of names) {
  const file = join(import.meta.dirname, '..', 'test', 'fixtures', 'rules', `${name}.json`);
  const groups = JSON.parse(readFileSync(file, 'utf8')) as RuleGroup[];
  const recorded: RuleGroup[] = [];
  for (const group of groups) {
    const got = await replay(group, ask);
    recorded.push({ ...group, cases: group.cases.map((one, i) => ({ ...one, want: got[i] ?? '' })) });
  }
  writeFileSync(file, `[\n${recorded.map(write).join(',\n')}\n]\n`);
}
agent.destroy();
