import type { ApiObject } from '../../../../meta/object.ts';
import { CtlError } from '../../errors.ts';
import { parseDocument } from '../parse-document.ts';
import { splitDocuments } from '../split-documents.ts';
import { Folder, isRemote } from './folder.ts';
import { generate, type GeneratorInput } from './generators.ts';
import { contentHash } from './hash.ts';
import type { Kustomization, Patch } from './kustomization.ts';
import { fixNameReferences } from './name-references.ts';
import { applyPatch, type LoadedPatch } from './patches.ts';
import { kustomizationReader } from './read-kustomization.ts';
import { Resource } from './resource.ts';
import { ResourceSet } from './resource-set.ts';
import { sortResources } from './sort.ts';
import { Transformer } from './transform.ts';
import { BuiltInVocabulary, type Vocabulary } from './vocabulary.ts';

/**
 * Builds the kustomization of a folder, as `kubectl kustomize` does, without network and plugins.
 *
 * @returns its objects in the order in which they can be written.
 * @throws CtlError naming the file and the field of what can't be built.
 */
export async function buildKustomization(path: string): Promise<ApiObject[]> {
  const vocabulary = new BuiltInVocabulary();
  const builder = new Builder(vocabulary);
  const folder = await Folder.open(path);
  const { resources, kustomization } = await builder.build(folder, new ResourceSet(), 'Kustomization');
  for (const resource of resources.all) {
    if (!resource.hashed) continue;
    resource.remember();
    const { metadata } = resource.object;
    metadata.name = `${metadata.name ?? ''}-${contentHash(resource.object)}`;
  }
  fixNameReferences(resources, vocabulary);
  resources.keep(({ object }) => !isLocal(object, vocabulary));
  sortResources(resources, kustomization.sortOptions);
  return resources.all.map(({ object }) => object);
}

function isLocal({ metadata }: ApiObject, vocabulary: Vocabulary): boolean {
  return Object.entries(metadata.annotations ?? {}).some(
    ([key, value]) => value === 'true' && vocabulary.isLocalConfig(key),
  );
}

interface Layer {
  readonly resources: ResourceSet;
  readonly kustomization: Kustomization;
}

/** Layers may be shared, but a few of them must not come to millions. */
const MAX_BUILDS = 1_000;

/** Builds layers, the ones below first. */
class Builder {
  readonly #vocabulary: Vocabulary;
  readonly #readKustomization: (file: string, text: string) => Kustomization;
  #builds = 0;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#readKustomization = kustomizationReader(vocabulary);
  }

  /** @param resources empty, but for a component: what it changes. */
  async build(folder: Folder, resources: ResourceSet, kind: Kustomization['kind']): Promise<Layer> {
    if (++this.#builds > MAX_BUILDS)
      throw new CtlError(`${folder.root}: more than ${MAX_BUILDS} layers are not built`);
    const { file, text } = await folder.kustomization();
    const kustomization = this.#readKustomization(file, text);
    if (kustomization.kind !== kind)
      throw new CtlError(`${file}: a ${kind} is expected here, not a ${kustomization.kind}`);
    try {
      for (const path of kustomization.resources) resources.add(await this.#resourcesAt(folder, path));
      await this.#generate(folder, kustomization, resources);
      for (const path of kustomization.components)
        await this.build(await folder.enter(path), resources, 'Component');
      await this.#transform(folder, kustomization, resources);
    } catch (error) {
      throw located(error, file);
    }
    return { resources, kustomization };
  }

  async #resourcesAt(folder: Folder, path: string): Promise<readonly Resource[]> {
    if (isRemote(path))
      throw new CtlError(`${path}: remote resources are not read; fetch them and name their folder or file`);
    if (await folder.isFolder(path)) {
      const inner = await folder.enter(path);
      return (await this.build(inner, new ResourceSet(), 'Kustomization')).resources.all;
    }
    return this.#read(path, Buffer.from(await folder.read(path)).toString('utf8'));
  }

  #read(file: string, text: string): Resource[] {
    const found: Resource[] = [];
    let document = 0;
    for (const one of splitDocuments(text)) {
      const { manifests, errors } = parseDocument({ file, document: ++document, ...one });
      const [error] = errors;
      if (error !== undefined) throw error;
      for (const { object, place } of manifests) {
        if (!object.metadata.name && !object.metadata.generateName)
          throw new CtlError(`${file}: document ${place.document}: missing metadata.name in object`);
        found.push(new Resource(object, this.#vocabulary));
      }
    }
    return found;
  }

  async #generate(folder: Folder, kustomization: Kustomization, resources: ResourceSet): Promise<void> {
    const input: GeneratorInput = {
      load: (path) => folder.read(path),
      vocabulary: this.#vocabulary,
      options: kustomization.generatorOptions,
    };
    for (const rule of kustomization.configMapGenerator)
      resources.absorb(await generate('ConfigMap', rule, input));
    for (const rule of kustomization.secretGenerator) resources.absorb(await generate('Secret', rule, input));
  }

  /** In the order in which kustomize does it. */
  async #transform(folder: Folder, kustomization: Kustomization, resources: ResourceSet): Promise<void> {
    const transformer = new Transformer(resources, this.#vocabulary);
    for (const text of kustomization.patchesStrategicMerge)
      applyPatch(resources, await loadEither(folder, text), this.#vocabulary);
    await this.#patch(folder, resources, kustomization.patches, 'patches');
    transformer.namespace(kustomization.namespace);
    transformer.prefix(kustomization.namePrefix);
    transformer.suffix(kustomization.nameSuffix);
    transformer.labels(kustomization.labels, kustomization.commonLabels);
    transformer.annotations(kustomization.commonAnnotations);
    await this.#patch(folder, resources, kustomization.patchesJson6902, 'patchesJson6902');
    transformer.replicas(kustomization.replicas);
    transformer.images(kustomization.images);
  }

  async #patch(
    folder: Folder,
    resources: ResourceSet,
    patches: readonly Patch[],
    field: string,
  ): Promise<void> {
    for (const [index, patch] of patches.entries())
      applyPatch(resources, await load(folder, patch, `${field}[${index}]`), this.#vocabulary);
  }
}

async function load(folder: Folder, patch: Patch, where: string): Promise<LoadedPatch> {
  const { path = '', patch: inline = '' } = patch;
  if ((path === '') === (inline.trim() === ''))
    throw new CtlError(`${where}: either path or patch must be set`);
  if (path === '') return { ...patch, source: where, text: inline };
  return { ...patch, source: path, text: Buffer.from(await folder.read(path)).toString('utf8') };
}

/** A patch itself, or its file. */
async function loadEither(folder: Folder, text: string): Promise<LoadedPatch> {
  if (text.includes('\n') || text.includes(': ')) return { source: 'patchesStrategicMerge', text };
  return { source: text, text: Buffer.from(await folder.read(text)).toString('utf8') };
}

/** Says which kustomization an error comes from, once. */
function located(error: unknown, file: string): unknown {
  if (!(error instanceof CtlError) || error.message.includes('kustomization') || error.message.includes(file))
    return error;
  return new CtlError(`${file}: ${error.message}`, { cause: error });
}
