import type { FlagValues } from './flag-values.ts';

/** Files of an authority. */
export interface KeyFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** Signers that have flags of their own, by what these say. */
const SIGNER_FLAGS = [
  'kube-apiserver-client',
  'kubelet-client',
  'kubelet-serving',
  'legacy-unknown',
] as const;
export type SignerFlag = (typeof SIGNER_FLAGS)[number];

/** Who signs certificates. */
export interface SigningOptions {
  /** For all signers; empty texts where it wasn't given. */
  readonly general: KeyFiles;
  /** For single ones. */
  readonly own: ReadonlyMap<SignerFlag, KeyFiles>;
  readonly durationMs: number;
}

/** Reads the flags `--cluster-signing-*`. That certificates come with keys, the table of flags has seen to. */
export function readSigning(flags: FlagValues): SigningOptions {
  const files = (prefix: string): KeyFiles => ({
    certificateFile: flags.text(`${prefix}-cert-file`),
    keyFile: flags.text(`${prefix}-key-file`),
  });
  const own = SIGNER_FLAGS.map((flag) => [flag, files(`cluster-signing-${flag}`)] as const);
  return {
    general: files('cluster-signing'),
    own: new Map(own.filter(([, { certificateFile }]) => certificateFile !== '')),
    durationMs: flags.number('cluster-signing-duration'),
  };
}
