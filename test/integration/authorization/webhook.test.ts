import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stringify } from 'yaml';
import { startAccessPlane, type AccessPlane } from '../../support/access.ts';
import { startWebhook, type WebhookServer } from '../../support/webhook-server.ts';

const PODS = { path: '/api/v1/namespaces/default/pods' };
const SECRETS = { path: '/api/v1/namespaces/default/secrets' };

const webhooks: WebhookServer[] = [];
const servers: AccessPlane[] = [];

async function webhook(reply: Parameters<typeof startWebhook>[0]): Promise<WebhookServer> {
  const server = await startWebhook(reply);
  webhooks.push(server);
  return server;
}

async function start(flags: (folder: string) => readonly string[]): Promise<AccessPlane> {
  const server = await startAccessPlane({ jane: [], joe: [], admin: ['system:masters'] }, flags);
  servers.push(server);
  return server;
}

async function cleanUp(): Promise<void> {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
  for (const server of webhooks.splice(0)) await server[Symbol.asyncDispose]();
}

describe('--authorization-mode=Webhook', function () {
  this.timeout(60_000);
  afterEach(cleanUp);

  const flagged = (hook: WebhookServer, ...more: string[]) =>
    start((folder) => {
      const file = join(folder, 'webhook.kubeconfig');
      hook.writeKubeconfig(file);
      return ['--authorization-mode=Webhook,RBAC', `--authorization-webhook-config-file=${file}`, ...more];
    });

  it('allows what the webhook allows, asks once, and lets the next mode decide on what it does not know', async () => {
    const hook = await webhook(({ spec }) => ({ allowed: spec.resourceAttributes?.resource === 'pods' }));
    const server = await flagged(hook);
    assert.equal((await server.ask('jane', PODS)).status, 200);
    assert.equal((await server.ask('jane', PODS)).status, 200);
    assert.equal((await server.ask('jane', SECRETS)).status, 403);
    assert.equal((await server.ask('jane', { path: '/version' })).status, 200);
    const pods = hook.asked.filter(({ spec }) => spec.resourceAttributes?.resource === 'pods');
    assert.equal(pods.length, 1);
    assert.equal(pods[0]?.apiVersion, 'authorization.orch.io/v1beta1');
    assert.equal((await server.ask('admin', SECRETS)).status, 200);
  });

  it('sends the version that is wanted, and denies for good what the webhook denies', async () => {
    const hook = await webhook(({ spec }) => ({ denied: spec.user === 'jane', reason: 'not you' }));
    const server = await flagged(hook, '--authorization-webhook-version=v1');
    const { status, body } = await server.ask('jane', { path: '/version' });
    assert.equal(status, 403);
    assert.match((body as { message: string }).message, /: not you$/);
    assert.equal((await server.ask('joe', { path: '/version' })).status, 200);
    assert.equal(hook.asked[0]?.apiVersion, 'authorization.orch.io/v1');
  });

  it('answers 500, and goes on, where the webhook answers garbage', async () => {
    const hook = await webhook((_, response) => void response.end('<html>'));
    const server = await flagged(hook);
    const { status, body } = await server.ask('jane', PODS);
    assert.equal(status, 500);
    assert.doesNotMatch(JSON.stringify(body), /html|127\.0\.0\.1/);
    assert.equal((await server.ask('joe', { path: '/version' })).status, 200);
    const metrics = String((await server.ask('admin', { path: '/metrics' })).body);
    assert.match(
      metrics,
      /apiserver_authorization_webhook_evaluations_fail_open_total\{name="default",result="error"\} 2/,
    );
    assert.match(
      metrics,
      /apiserver_authorization_decisions_total\{decision="allowed",name="rbac",type="RBAC"\} 1/,
    );
  });
});

describe('--authorization-config', function () {
  this.timeout(60_000);
  afterEach(cleanUp);

  const configured = (authorizers: readonly object[]): string =>
    stringify({ apiVersion: 'apiserver.config.orch.io/v1', kind: 'AuthorizationConfiguration', authorizers });

  const hookOf = (folder: string, over: object = {}) => ({
    type: 'Webhook',
    name: 'hook',
    webhook: {
      ...{ timeout: '1s', subjectAccessReviewVersion: 'v1', failurePolicy: 'Deny' },
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: join(folder, 'webhook.kubeconfig') },
      ...over,
    },
  });
  const RBAC = { type: 'RBAC', name: 'rbac' };

  function startWith(hook: WebhookServer, authorizers: (folder: string) => readonly object[]) {
    return start((folder) => {
      hook.writeKubeconfig(join(folder, 'webhook.kubeconfig'));
      const file = join(folder, 'authorizers.yaml');
      writeFileSync(file, configured(authorizers(folder)));
      return [`--authorization-config=${file}`];
    });
  }

  it('asks the webhook only where its conditions are true', async () => {
    const hook = await webhook(() => ({ allowed: true }));
    const conditions = {
      matchConditionSubjectAccessReviewVersion: 'v1',
      matchConditions: [
        {
          expression: "has(request.resourceAttributes) && request.resourceAttributes.namespace == 'default'",
        },
        { expression: "request.user == 'jane'" },
      ],
    };
    const server = await startWith(hook, (folder) => [hookOf(folder, conditions), RBAC]);
    assert.equal((await server.ask('jane', SECRETS)).status, 200);
    assert.equal((await server.ask('joe', SECRETS)).status, 403);
    assert.equal((await server.ask('jane', { path: '/api/v1/secrets' })).status, 403);
    assert.equal(hook.asked.length, 1);
  });

  it('gives up in time on a webhook that hangs, holding up nobody else', async () => {
    const hook = await webhook(() => undefined);
    const server = await startWith(hook, (folder) => [hookOf(folder), RBAC]);
    const started = performance.now();
    const hanging = server.ask('jane', PODS);
    assert.equal((await server.ask('admin', PODS)).status, 200);
    assert.ok(performance.now() - started < 900);
    assert.equal((await hanging).status, 500);
    assert.ok(performance.now() - started < 5000);
  });

  it('takes what the file comes to hold, and keeps what it has where that is bad', async () => {
    const hook = await webhook(() => ({ allowed: true }));
    const server = await startWith(hook, () => [RBAC]);
    const { folder } = server;
    const path = join(folder, 'authorizers.yaml');
    const replace = (text: string): void => {
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
    };
    const becomes = async (line: RegExp): Promise<void> => {
      const end = performance.now() + 5000;
      while (!line.test(String((await server.ask('admin', { path: '/metrics' })).body))) {
        assert.ok(performance.now() < end, `no ${line}`);
        await wait(20);
      }
    };
    const reloads = (status: string, count: number) =>
      new RegExp(
        `apiserver_authorization_config_controller_automatic_reloads_total\\{apiserver_id_hash="sha256:[0-9a-f]{64}",status="${status}"\\} ${count}`,
      );
    assert.equal((await server.ask('jane', PODS)).status, 403);
    await becomes(reloads('success', 1));
    replace(configured([hookOf(folder), RBAC]));
    await becomes(reloads('success', 2));
    assert.equal((await server.ask('jane', PODS)).status, 200);
    replace(configured([hookOf(folder)]));
    await becomes(reloads('failure', 1));
    replace('apiVersion: half');
    await becomes(reloads('failure', 2));
    assert.equal((await server.ask('jane', PODS)).status, 200);
    replace(configured([RBAC]));
    await becomes(reloads('success', 3));
    assert.equal((await server.ask('jane', PODS)).status, 403);
  });

  for (const [name, flags, problem] of [
    [
      'beside modes',
      ['--authorization-mode=RBAC'],
      /--authorization-config can't be given with --authorization-mode/,
    ],
    [
      'beside the flags of a webhook',
      ['--authorization-webhook-version=v1'],
      /--authorization-config can't be given with --authorization-webhook-version/,
    ],
    ['that is not there', [], /--authorization-config: \/nowhere/],
  ] as const) {
    it(`does not start with a file ${name}`, async () => {
      await assert.rejects(
        start(() => ['--authorization-config=/nowhere', ...flags]),
        problem,
      );
    });
  }

  it('does not start with a file that is wrong, and names its fields', async () => {
    const started = start((folder) => {
      const file = join(folder, 'authorizers.yaml');
      writeFileSync(file, configured([hookOf(folder, { timeout: '31s' })]));
      return [`--authorization-config=${file}`];
    });
    await assert.rejects(started, (error: Error) => {
      const { message } = error.cause as Error;
      assert.match(message, /authorizers\[0\]\.webhook\.timeout: Invalid value: "31s"/);
      assert.match(message, /authorizers\[0\]\.webhook\.connectionInfo\.kubeConfigFile: Invalid value/);
      return true;
    });
  });
});
