import { defineFlags, type FlagValues } from './flag.ts';

/** Flags that every command takes, as kubectl has them. */
export const GLOBAL_FLAGS = defineFlags({
  kubeconfig: { type: 'text', completes: 'files', help: 'The configuration file to use.' },
  context: { type: 'text', completes: 'contexts', help: 'The context of the configuration to use.' },
  cluster: { type: 'text', completes: 'clusters', help: 'The cluster of the configuration to use.' },
  user: { type: 'text', completes: 'users', help: 'The user of the configuration to be.' },
  namespace: {
    type: 'text',
    short: 'n',
    completes: 'namespaces',
    help: 'The namespace to work in; by default that of the context, else "default".',
  },
  server: { type: 'text', short: 's', help: 'Address and port of the API server.' },
  token: { type: 'text', help: 'Bearer token to authenticate with.' },
  username: { type: 'text', help: 'Name for basic authentication.' },
  password: { type: 'text', help: 'Password for basic authentication.' },
  'client-certificate': { type: 'text', completes: 'files', help: 'File of the client certificate.' },
  'client-key': { type: 'text', completes: 'files', help: "File of the client certificate's key." },
  'certificate-authority': {
    type: 'text',
    completes: 'files',
    help: "File of the authority that signed the server's certificate.",
  },
  'insecure-skip-tls-verify': {
    type: 'switch',
    help: "Don't check the server's certificate. Anybody on the way can read and change what is sent.",
  },
  'tls-server-name': { type: 'text', help: "The name that the server's certificate must have." },
  as: {
    type: 'text',
    help: 'The user to impersonate; a service account is system:serviceaccount:NAMESPACE:NAME.',
  },
  'as-group': { type: 'list', help: 'A group to impersonate; can be repeated.' },
  'as-uid': { type: 'text', help: 'The uid to impersonate.' },
  'as-user-extra': { type: 'list', hidden: true, help: 'An extra attribute key=value to impersonate.' },
  'request-timeout': {
    type: 'duration',
    default: 0,
    help: 'How long a request may take, e.g. 30s; 0 is without end.',
  },
  'match-server-version': {
    type: 'switch',
    hidden: true,
    help: 'Require the server to be of the same release.',
  },
  'disable-compression': { type: 'switch', help: 'Ask for uncompressed answers.' },
  naming: {
    type: 'text',
    choices: ['orch', 'kubernetes'],
    help: 'The naming profile that the server must have; by default either will do.',
  },
  'cache-dir': { type: 'text', hidden: true, help: 'Taken for the sake of scripts; nothing is cached.' },
  'warnings-as-errors': { type: 'switch', help: 'Exit with 1 when the server warned.' },
  v: {
    type: 'number',
    short: 'v',
    default: 0,
    help: 'How much to tell: from 6 on, a line for every request.',
  },
  help: { type: 'switch', short: 'h', help: 'Show how the command is used.' },
});

export type GlobalValues = FlagValues<typeof GLOBAL_FLAGS>;
