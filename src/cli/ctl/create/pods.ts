import { randomInt } from 'node:crypto';
import type { JsonObject } from '../../../meta/object.ts';

export interface ContainerChoice {
  readonly name: string;
  readonly image: string;
  /** Empty for what the image says. */
  readonly command: readonly string[];
  readonly port?: number | undefined;
}

/** A container of a pod template, in the fields that kubectl writes. */
export function container({ name, image, command, port }: ContainerChoice): JsonObject {
  return {
    name,
    image,
    ...(command.length === 0 ? {} : { command: [...command] }),
    ...(port === undefined ? {} : { ports: [{ containerPort: port }] }),
    resources: {},
  };
}

/** A pod template. @param metadata besides the time of creation, which templates have none of */
export function podTemplate(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { metadata: { creationTimestamp: null, ...metadata }, spec };
}

/** A name for a container of an image: its last part, without tag and digest. */
export function containerName(image: string): string {
  const [name = ''] = (image.split('/').at(-1) ?? '').split(/[:@]/);
  return /[_.]/.test(name) ? `${name.replaceAll(/[_.]/g, '-')}-${randomSuffix()}` : name;
}

/** No vowels, so that no words come of it. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;

function randomSuffix(): string {
  return Array.from({ length: SUFFIX_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
