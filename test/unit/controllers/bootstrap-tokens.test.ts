import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { runsController } from '../../../src/app/options/controllers.ts';
import { bootstrapSigner } from '../../../src/controllers/bootstrap-signer/controller.ts';
import type { Controller, RunningController } from '../../../src/controllers/controller.ts';
import { tokenCleaner } from '../../../src/controllers/token-cleaner/controller.ts';
import type { ProfileName } from '../../../src/names/profile.ts';
import { PROFILES } from '../../support/schemas.ts';
import { Cluster, NOW } from '../verbs/cluster.ts';
import { controllerParts } from './controller-parts.ts';

const SECOND = 1000;
const at = (seconds: number): string => new Date(NOW + seconds * SECOND).toISOString();

/** A cluster with a controller that runs, and the two namespaces of bootstrap tokens. */
class TokenCluster {
  readonly errors: string[] = [];
  readonly cluster: Cluster;
  readonly running: RunningController;
  readonly secrets: string;
  readonly configMaps: string;

  private constructor(cluster: Cluster, controller: Controller) {
    this.cluster = cluster;
    const { names } = cluster;
    this.secrets = `/api/v1/namespaces/${names.get('namespace.system')}/secrets`;
    this.configMaps = `/api/v1/namespaces/${names.get('namespace.public')}/configmaps`;
    const told = ({ severity, message }: { severity: string; message: string }): void => {
      if (severity === 'error') this.errors.push(message);
    };
    this.running = controller.start(controllerParts(cluster, controller.name, told));
  }

  static async open(controller: Controller, profile: ProfileName): Promise<TokenCluster> {
    const cluster = await Cluster.open({ profile });
    for (const id of ['namespace.system', 'namespace.public']) {
      await cluster.expect(201, 'POST /api/v1/namespaces', {
        body: { metadata: { name: cluster.names.get(id) } },
      });
    }
    return new TokenCluster(cluster, controller);
  }

  close(): void {
    this.running.close();
    this.cluster.close();
  }

  async token(id: string, data: Record<string, string>, type?: string): Promise<void> {
    const body = {
      metadata: { name: `bootstrap-token-${id}` },
      type: type ?? this.cluster.names.get('secretType.bootstrap-token'),
      stringData: { 'token-id': id, 'token-secret': '0123456789abcdef', ...data },
    };
    await this.cluster.expect(201, `POST ${this.secrets}`, { body });
  }

  async change(id: string, stringData: Record<string, string>): Promise<void> {
    const contentType = 'application/merge-patch+json';
    const path = `${this.secrets}/bootstrap-token-${id}`;
    await this.cluster.expect(200, `PATCH ${path}`, { contentType, body: { stringData } });
  }

  async tokens(): Promise<string[]> {
    const { items } = await this.cluster.expect(200, `GET ${this.secrets}`);
    return items.map(({ metadata }) => (metadata.name ?? '').slice('bootstrap-token-'.length));
  }

  async info(): Promise<Record<string, string>> {
    const { object } = await this.cluster.expect(200, `GET ${this.configMaps}/cluster-info`);
    return object['data'] as Record<string, string>;
  }

  /** Lets the controller do what there is to do. */
  async settle(): Promise<void> {
    for (let i = 0; i < 50; i++) {
      this.cluster.clock.advance(0);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

for (const profile of PROFILES) {
  describe(`the cleaner of bootstrap tokens, naming=${profile}`, () => {
    let tokens: TokenCluster;
    beforeEach(async () => (tokens = await TokenCluster.open(tokenCleaner, profile)));
    afterEach(() => tokens.close());

    it('deletes each at its time, and nothing else', async () => {
      await tokens.token('aaaaaa', { expiration: at(-1) });
      await tokens.token('bbbbbb', { expiration: at(60) });
      await tokens.token('cccccc', {});
      await tokens.token('dddddd', { expiration: 'never' });
      await tokens.token('eeeeee', { expiration: at(-1) }, 'Opaque');
      await tokens.settle();
      assert.deepEqual(await tokens.tokens(), ['bbbbbb', 'cccccc', 'eeeeee']);
      tokens.cluster.clock.advance(59 * SECOND);
      await tokens.settle();
      assert.deepEqual(await tokens.tokens(), ['bbbbbb', 'cccccc', 'eeeeee']);
      tokens.cluster.clock.advance(SECOND);
      await tokens.settle();
      assert.deepEqual(await tokens.tokens(), ['cccccc', 'eeeeee']);
      assert.deepEqual(tokens.errors, []);
    });

    it('heeds that a token lives longer, or shorter', async () => {
      await tokens.token('aaaaaa', { expiration: at(10) });
      await tokens.token('bbbbbb', { expiration: '2999-01-01T00:00:00Z' });
      await tokens.settle();
      await tokens.change('aaaaaa', { expiration: at(30) });
      await tokens.change('bbbbbb', { expiration: at(20) });
      await tokens.settle();
      tokens.cluster.clock.advance(25 * SECOND);
      await tokens.settle();
      assert.deepEqual(await tokens.tokens(), ['aaaaaa']);
      tokens.cluster.clock.advance(5 * SECOND);
      await tokens.settle();
      assert.deepEqual(await tokens.tokens(), []);
    });
  });

  describe(`the signer of what new nodes read, naming=${profile}`, () => {
    const KUBECONFIG = 'apiVersion: v1\nkind: Config\n';
    let tokens: TokenCluster;
    beforeEach(async () => {
      tokens = await TokenCluster.open(bootstrapSigner, profile);
      const body = { metadata: { name: 'cluster-info' }, data: { kubeconfig: KUBECONFIG, note: 'kept' } };
      await tokens.cluster.expect(201, `POST ${tokens.configMaps}`, { body });
    });
    afterEach(() => tokens.close());

    /** Whether a client that knows the token takes the text for good, as RFC 7515 (appendix F) has it. */
    function verifies(jws: string | undefined, text: string, id: string): boolean {
      const [header = '', payload, signature] = (jws ?? '').split('.');
      assert.equal(payload, '');
      assert.deepEqual(JSON.parse(atob(header)), { alg: 'HS256', kid: id });
      const signed = `${header}.${Buffer.from(text).toString('base64url')}`;
      return createHmac('sha256', '0123456789abcdef').update(signed).digest('base64url') === signature;
    }
    const signers = async (): Promise<string[]> => {
      await tokens.settle();
      return Object.keys(await tokens.info()).sort();
    };

    it('signs with each token that is for it', async () => {
      await tokens.token('aaaaaa', { 'usage-bootstrap-signing': 'true' });
      await tokens.token('bbbbbb', { 'usage-bootstrap-signing': 'true', 'token-id': 'cccccc' });
      await tokens.token('cccccc', { 'usage-bootstrap-signing': 'false' });
      await tokens.token('dddddd', { 'usage-bootstrap-signing': 'true', expiration: at(-1) });
      await tokens.token('eeeeee', { 'usage-bootstrap-signing': 'true', 'token-secret': '' });
      assert.deepEqual(await signers(), ['jws-kubeconfig-aaaaaa', 'kubeconfig', 'note']);
      assert.ok(verifies((await tokens.info())['jws-kubeconfig-aaaaaa'], KUBECONFIG, 'aaaaaa'));
      assert.deepEqual(tokens.errors, []);
    });

    it('signs as the Go controller manager does', async () => {
      await tokens.token('aaaaaa', { 'usage-bootstrap-signing': 'true' });
      await tokens.settle();
      const header = 'eyJhbGciOiJIUzI1NiIsImtpZCI6ImFhYWFhYSJ9';
      assert.ok((await tokens.info())['jws-kubeconfig-aaaaaa']?.startsWith(`${header}..`));
    });

    it('signs anew what changes, and mends what others write', async () => {
      await tokens.token('aaaaaa', { 'usage-bootstrap-signing': 'true' });
      await tokens.settle();
      const contentType = 'application/merge-patch+json';
      const data = { kubeconfig: 'other', 'jws-kubeconfig-aaaaaa': 'x..y', 'jws-kubeconfig-zzzzzz': 'x..y' };
      const path = `${tokens.configMaps}/cluster-info`;
      await tokens.cluster.expect(200, `PATCH ${path}`, { contentType, body: { data } });
      assert.deepEqual(await signers(), ['jws-kubeconfig-aaaaaa', 'kubeconfig', 'note']);
      assert.ok(verifies((await tokens.info())['jws-kubeconfig-aaaaaa'], 'other', 'aaaaaa'));
    });

    it('takes signatures away of tokens that expire, are deleted, or are no longer for it', async () => {
      for (const [id, expiration] of [
        ['aaaaaa', at(60)],
        ['bbbbbb', at(90)],
        ['cccccc', ''],
      ] as const) {
        await tokens.token(id, { 'usage-bootstrap-signing': 'true', expiration });
      }
      await tokens.token('dddddd', { 'usage-bootstrap-signing': 'true' });
      assert.equal((await signers()).length, 6);
      tokens.cluster.clock.advance(60 * SECOND);
      const bcd = ['bbbbbb', 'cccccc', 'dddddd'].map((id) => `jws-kubeconfig-${id}`);
      assert.deepEqual(await signers(), [...bcd, 'kubeconfig', 'note']);
      tokens.cluster.clock.advance(30 * SECOND);
      await tokens.cluster.expect(200, `DELETE ${tokens.secrets}/bootstrap-token-cccccc`);
      await tokens.change('dddddd', { 'usage-bootstrap-signing': 'no' });
      assert.deepEqual(await signers(), ['kubeconfig', 'note']);
      assert.deepEqual(tokens.errors, []);
    });

    it('writes nothing where nothing is to be done', async () => {
      await tokens.token('aaaaaa', { 'usage-bootstrap-signing': 'true' });
      await tokens.settle();
      const version = async (): Promise<string | undefined> =>
        (await tokens.cluster.expect(200, `GET ${tokens.configMaps}/cluster-info`)).object.metadata
          .resourceVersion;
      const before = await version();
      await tokens.change('aaaaaa', { description: 'the same' });
      await tokens.settle();
      assert.equal(await version(), before);
    });
  });
}

describe('the controllers of bootstrap tokens', () => {
  it('run where they are named, by either name', () => {
    for (const { name } of [tokenCleaner, bootstrapSigner]) {
      assert.equal(runsController(['*'], name), false);
      assert.equal(runsController(['*', name], name), true);
      assert.equal(runsController(['*', 'tokencleaner', 'bootstrapsigner'], name), true);
    }
    assert.equal(
      runsController(['*', '-clusterrole-aggregation'], 'clusterrole-aggregation-controller'),
      false,
    );
  });
});
