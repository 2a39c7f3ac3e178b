import type { LookupAddress } from 'node:dns';

/** A server that requests are passed on to. */
export interface Backend {
  readonly scheme: 'http' | 'https';
  /** A name or an address, as certificates have it. */
  readonly host: string;
  /** What the host stands for, looked up and found good: nothing else is connected to. Absent: whatever it stands for. */
  readonly addresses?: readonly LookupAddress[];
  readonly port: number;
  /** A node agent is shown the server's certificate, and may have to show one itself; others are shown nothing. */
  readonly isNodeAgent: boolean;
  /** A node agent is taken at its word. */
  readonly skipsVerification?: boolean;
}
