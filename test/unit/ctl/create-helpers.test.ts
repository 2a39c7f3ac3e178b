import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runLine, type Answers, type LineResult } from '../../support/run-line.ts';

/** What kubectl 1.32 says to each line. */
const KUBECTL = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/kubectl-create.json'), 'utf8'),
) as Readonly<Record<string, string>>;

const run = (line: string, answers: Answers = {}): Promise<LineResult> =>
  runLine(line.split(' '), { answers });
const bodyOf = ({ requests }: LineResult): unknown => {
  const sent = requests.find(({ method }) => method === 'POST');
  return sent?.body === undefined ? undefined : JSON.parse(String(sent.body));
};

describe('orchctl create, as kubectl does it', () => {
  for (const [line, expected] of Object.entries(KUBECTL)) {
    it(line, async () => {
      const { stdout, stderr, code } = await run(line);
      assert.equal(stdout, expected, stderr);
      assert.equal(code, 0);
    });
  }
});

describe('orchctl create with names of another profile', () => {
  it('asks nobody for names that a flag says', async () => {
    const { stdout, requests } = await run(
      'create rolebinding x --role=r --user=u --naming=orch --dry-run=client -o json',
    );
    const { apiVersion, subjects } = JSON.parse(stdout) as { apiVersion: string; subjects: unknown };
    assert.deepEqual(requests, []);
    assert.equal(apiVersion, 'rbac.authorization.orch.io/v1');
    assert.deepEqual(subjects, [{ apiGroup: 'rbac.authorization.orch.io', kind: 'User', name: 'u' }]);
  });
});

describe('orchctl create, where more than flags is needed', () => {
  it('makes names of containers out of images, with something random where letters are replaced', async () => {
    const { stdout } = await run('create deployment x --image=a.b_c:1 --dry-run=client -o json');
    const { spec } = JSON.parse(stdout) as {
      spec: { template: { spec: { containers: { name: string }[] } } };
    };
    assert.match(spec.template.spec.containers[0]?.name ?? '', /^a-b-c-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  const CRON = '/apis/batch/v1/namespaces/default/cronjobs/tick';
  const batch = {
    '/apis': {
      items: [
        {
          metadata: { name: 'batch' },
          versions: [
            {
              version: 'v1',
              resources: ['CronJob', 'Job'].map((kind) => ({
                resource: `${kind.toLowerCase()}s`,
                responseKind: { kind },
                scope: 'Namespaced',
                singularResource: kind.toLowerCase(),
                verbs: ['get', 'create'],
              })),
            },
          ],
        },
      ],
    },
    [CRON]: {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'tick', uid: 'u' },
      spec: { jobTemplate: { metadata: { labels: { a: 'b' } }, spec: { parallelism: 2 } } },
    },
  };

  it('makes a job of a cron job, which then owns it', async () => {
    const { stdout } = await run('create job now --from=cronjob/tick --dry-run=client -o json', batch);
    assert.deepEqual(JSON.parse(stdout), {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        annotations: { 'cronjob.kubernetes.io/instantiate': 'manual' },
        creationTimestamp: null,
        labels: { a: 'b' },
        name: 'now',
        ownerReferences: [
          { apiVersion: 'batch/v1', controller: true, kind: 'CronJob', name: 'tick', uid: 'u' },
        ],
      },
      spec: { parallelism: 2 },
      status: {},
    });
  });

  const ACCOUNTS: Answers = {
    '/api': {
      items: [
        {
          metadata: { name: '' },
          versions: [
            {
              version: 'v1',
              resources: [
                {
                  resource: 'serviceaccounts',
                  responseKind: { kind: 'ServiceAccount' },
                  scope: 'Namespaced',
                  verbs: ['get'],
                },
              ],
            },
          ],
        },
      ],
    },
    'POST /api/v1/namespaces/default/serviceaccounts/builder/token': {
      kind: 'TokenRequest',
      status: { token: 'secret' },
    },
  };

  it('asks for a token and writes nothing but it', async () => {
    const result = await run(
      'create token builder --duration=1h --audience=a --bound-object-kind=Pod --bound-object-name=p',
      ACCOUNTS,
    );
    assert.equal(result.stdout, 'secret');
    assert.deepEqual(bodyOf(result), {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { creationTimestamp: null },
      spec: {
        audiences: ['a'],
        expirationSeconds: 3600,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' },
      },
    });
  });

  it('ends the line on a terminal', async () => {
    const { stdout } = await runLine(['create', 'token', 'builder'], { answers: ACCOUNTS, terminal: true });
    assert.equal(stdout, 'secret\n');
  });
});

describe('orchctl create refuses', () => {
  const refused: readonly [string, RegExp][] = [
    ['deployment', /exactly one NAME is required, got 0/],
    ['deployment x', /required flag\(s\) "image" not set/],
    ['deployment x --image=a --image=b -- c', /cannot specify multiple --image options and command/],
    ['cronjob x', /required flag\(s\) "image", "schedule" not set/],
    ['job x', /either --image or --from must be specified/],
    ['job x --from=cronjob/a -- b', /cannot specify --from and command/],
    ['job x --from=pods/a', /from must be an existing cronjob/],
    ['service clusterip x', /at least one tcp port specifier must be provided/],
    ['service clusterip x --tcp=70000', /invalid port "70000"/],
    ['service clusterip x --tcp=80:-1', /invalid port -1/],
    ['service clusterip x --tcp=80:UPPER', /invalid port name "UPPER"/],
    ['service externalname x --external-name=-', /invalid service external name -/],
    ['ingress x', /not enough information provided/],
    ['ingress x --rule=nonsense', /rule nonsense is invalid/],
    ['ingress x --rule=/=a:1 --annotation=b', /annotation b is invalid/],
    ['ingress x --default-backend=a', /should be in format servicename:serviceport/],
    ['role x --verb=get', /at least one resource must be specified/],
    ['role x --resource=pods', /at least one verb must be specified/],
    ['role x --verb=bind --resource=pods', /can not perform 'bind' on 'pods' in group ''/],
    ['role x --verb=get --resource=podz', /doesn't have a resource type "podz"\nIs pods meant\?/],
    ['role x --verb=get --resource=.apps', /resource must be specified/],
    ['clusterrole x --verb=get', /one of resource or nonResourceURL must be specified/],
    ['clusterrole x --verb=list --non-resource-url=/a', /invalid verb: 'list' for nonResourceURL/],
    ['clusterrole x --verb=get --non-resource-url=a', /nonResourceURL should start with \//],
    ['clusterrole x --verb=get --non-resource-url=/a*b', /when '\*' is at the end/],
    ['clusterrole x --aggregation-rule=a', /malformed pair "a"/],
    ['clusterrole x --aggregation-rule=a=b --verb=get', /must be specified without/],
    ['rolebinding x --role=a --clusterrole=b', /exactly one of clusterrole or role/],
    ['rolebinding x --role=a --serviceaccount=b', /serviceaccount must be <namespace>:<name>/],
    ['clusterrolebinding x', /required flag\(s\) "clusterrole" not set/],
    ['quota x --hard=cpu', /Invalid argument syntax cpu, expected <resource>=<value>/],
    ['quota x --hard=cpu=much', /cpu=much: "much" is not a quantity/],
    ['quota x --scopes=,', /invalid resource quota scope ""/],
    ['pdb x --min-available=1', /a selector must be specified/],
    ['pdb x --selector=a=b', /one of min-available or max-unavailable must be specified/],
    ['pdb x --selector=a=b --min-available=1Gi', /invalid format specified for min-available/],
    ['pdb x --selector=a>1 --min-available=1', /isn't supported in label selectors/],
    ['token x --duration=1ms', /units less than seconds/],
    ['token x --bound-object-name=a', /if --bound-object-kind is provided/],
    ['token x --bound-object-kind=Job --bound-object-name=a', /values are Node, Pod, Secret/],
    ['token x --bound-object-kind=Pod', /--bound-object-name is required/],
  ];
  for (const [line, message] of refused) {
    it(line, async () => {
      const { stdout, stderr, code, requests } = await run(`create ${line}`);
      assert.match(stderr, message);
      assert.deepEqual([stdout, code], ['', 1]);
      assert.ok(requests.every(({ method }) => method === 'GET'));
    });
  }
});
