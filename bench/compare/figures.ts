/** A figure's name, what is better, and its value. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  readonly value: number;
}

export interface Settings {
  /** The load generator. */
  readonly loadgen: string;
  readonly pods: number;
  /** Writes of each kind; GETs are ten times as many. */
  readonly writes: number;
  readonly watchers: number;
  /** How many clients list everything at once, at the end. */
  readonly lists: number;
  /** How often each operation is measured. */
  readonly rounds: number;
}

export const PODS = '/api/v1/namespaces/bench/pods';

/** The servers are compared under the naming profile of existing clients. */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** The 99th percentile of an operation's times. */
export function p99(name: string, value = NaN): Figure {
  return { name: `${name}, p99`, unit: 'ms', better: 'lower', value };
}
