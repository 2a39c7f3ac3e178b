import { isMap, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Json, JsonObject } from '../../../meta/object.ts';
import type { CommandContext } from '../context.ts';
import { CtlError } from '../errors.ts';
import {
  kubeconfigPlaces,
  readKubeconfigFile,
  SECTIONS,
  type KubeconfigFile,
  type Section,
} from './files.ts';

/** An entry of a configuration and where it stands. */
export interface Entry {
  readonly name: string;
  readonly value: JsonObject;
  readonly file: KubeconfigFile;
}

/** The configuration that several files make, where the first that says something counts; and changes of it. */
export class Kubeconfig {
  readonly #files: readonly KubeconfigFile[];
  readonly #changed = new Set<KubeconfigFile>();

  constructor(files: readonly KubeconfigFile[]) {
    this.#files = files;
  }

  /** @throws CtlError for files with mistakes. */
  static async load(context: CommandContext): Promise<Kubeconfig> {
    return new Kubeconfig(await Promise.all(kubeconfigPlaces(context).map(readKubeconfigFile)));
  }

  /** The file that new entries go to. */
  get target(): KubeconfigFile {
    const file = this.#files.find(({ exists }) => exists) ?? this.#files.at(-1);
    if (file === undefined) throw new CtlError('there is no configuration file to write');
    return file;
  }

  get currentContext(): string {
    for (const { document } of this.#files) {
      const name = document.get('current-context');
      if (typeof name === 'string' && name !== '') return name;
    }
    return '';
  }

  set currentContext(name: string) {
    const holders = this.#files.filter(({ document }) => (document.get('current-context') ?? '') !== '');
    for (const file of name === '' ? holders : [this.target]) {
      file.document.set('current-context', name);
      this.#changed.add(file);
    }
  }

  /** The entries of a list, by name. */
  entries(section: Section): Entry[] {
    const found = new Map<string, Entry>();
    for (const file of this.#files) {
      for (const item of itemsOf(file, section)) {
        const name = textOf(item.get('name'));
        const value = item.get(SECTIONS[section]);
        if (!found.has(name)) found.set(name, { name, value: jsonOf(value), file });
      }
    }
    return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  entry(section: Section, name: string): Entry | undefined {
    return this.entries(section).find((entry) => entry.name === name);
  }

  /** Sets fields of an entry, which is made where there is none; undefined removes a field. */
  change(section: Section, name: string, fields: Readonly<Record<string, Json | undefined>>): void {
    const file = this.entry(section, name)?.file ?? this.target;
    const { document } = file;
    let item = itemsOf(file, section).find((one) => textOf(one.get('name')) === name);
    if (item === undefined) {
      if (!isSeq(document.get(section))) document.set(section, document.createNode([]));
      item = document.createNode({ name, [SECTIONS[section]]: {} });
      (document.get(section) as YAMLSeq).flow = false;
      (document.get(section) as YAMLSeq).add(item);
    }
    if (!isMap(item.get(SECTIONS[section]))) item.set(SECTIONS[section], document.createNode({}));
    const value = item.get(SECTIONS[section]) as YAMLMap;
    value.flow = false;
    for (const [field, content] of Object.entries(fields)) {
      if (content === undefined) value.delete(field);
      else value.set(field, document.createNode(content));
    }
    this.#changed.add(file);
  }

  /** Takes an entry out of every file that has it. @returns the first such file's name; undefined where none has it. */
  remove(section: Section, name: string): string | undefined {
    let found: string | undefined;
    for (const file of this.#files) {
      const list = file.document.get(section);
      const at = itemsOf(file, section).findIndex((item) => textOf(item.get('name')) === name);
      if (at < 0 || !isSeq(list)) continue;
      list.delete(at);
      this.#changed.add(file);
      found ??= file.name;
    }
    return found;
  }

  /** Writes the files that were changed. */
  async save(): Promise<void> {
    for (const file of this.#changed) await file.save();
  }
}

function itemsOf({ name, document }: KubeconfigFile, section: Section): YAMLMap[] {
  const list = document.get(section);
  if (list === null || list === undefined) return [];
  if (!isSeq(list) || !list.items.every((item) => isMap(item))) {
    throw new CtlError(
      `error loading config file ${JSON.stringify(name)}: ${section} is not a list of entries`,
    );
  }
  return list.items;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function jsonOf(value: unknown): JsonObject {
  return isMap(value) ? (value.toJSON() as JsonObject) : {};
}
