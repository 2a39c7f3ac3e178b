import { defineDescriber, NO_EVENTS } from '../describer.ts';
import type { Described, Pairs } from '../objects.ts';
import { writeHead } from '../parts/metadata.ts';

interface ConfigMap extends Described {
  readonly data?: Pairs;
  readonly binaryData?: Pairs;
}

interface Secret extends Described {
  readonly type?: string;
  readonly data?: Pairs;
}

/** The key of a secret that holds a service account's token, which is shown. */
const TOKEN_KEY = 'token';

export const configMap = defineDescriber<ConfigMap>({
  write(page, { metadata, data = {}, binaryData = {} }, world) {
    writeHead(page, metadata, world);
    page.text('\nData\n====\n');
    for (const key of Object.keys(data).sort()) page.text(`${key}:\n----\n${data[key]}\n\n`);
    page.text('\nBinaryData\n====\n');
    for (const key of Object.keys(binaryData).sort())
      page.line(`${key}: ${byteCount(binaryData[key])} bytes`);
    page.line('');
  },
});

export const secret = defineDescriber<Secret>({
  write(page, { metadata, type = '', data = {} }, world) {
    writeHead(page, metadata, world);
    page.text(`\nType:\t${type}\n`);
    page.text('\nData\n====\n');
    const holdsToken = type === world.names.get('secretType.service-account-token');
    for (const key of Object.keys(data).sort()) {
      const shown = holdsToken && key === TOKEN_KEY;
      page.row(key, shown ? decoded(data[key]).toString('utf8') : `${byteCount(data[key])} bytes`);
    }
  },
  subjects: NO_EVENTS,
});

function decoded(base64 = ''): Buffer {
  return Buffer.from(base64, 'base64');
}

function byteCount(base64: string | undefined): number {
  return decoded(base64).length;
}
