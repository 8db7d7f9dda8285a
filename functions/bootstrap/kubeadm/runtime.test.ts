import { describe, expect, test } from 'vitest';
import { Proxy, Registry } from '#lib/api/fields/host.ts';
import { runtimeCommands, runtimeFiles } from './runtime.ts';

const CLUSTER = ['10.244.0.0/16', '.svc'];
const PEM = '-----BEGIN CERTIFICATE-----\nfake\n-----END CERTIFICATE-----\n';

function textsOf(settings: { readonly proxy?: unknown; readonly registries?: readonly unknown[] }) {
  const { proxy, registries = [] } = settings;
  const parsed = {
    proxy: proxy === undefined ? undefined : Proxy.parse(proxy),
    registries: registries.map((one) => Registry.parse(one)),
  };
  const files = runtimeFiles(parsed, CLUSTER, 'Machine "a/b"');
  return {
    files: new Map(files.map(({ path, content }) => [path, Buffer.from(content, 'base64').toString()])),
    commands: runtimeCommands(parsed),
  };
}

test('an empty claim changes nothing', () => {
  expect(textsOf({})).toEqual({ files: new Map(), commands: [] });
});

describe('mirrors of a registry', () => {
  test('are asked in their order, each with the path of its API, and trusted by their certificate', () => {
    const { files } = textsOf({
      registries: [
        {
          host: 'docker.io',
          mirrors: ['https://mirror.example.com', 'https://cache.example.com/v2/docker', 'https://mirror.example.com'],
          caCertificate: PEM,
        },
      ],
    });
    expect([...files]).toEqual([
      [
        '/etc/containerd/certs.d/docker.io/hosts.toml',
        `[host."https://mirror.example.com"]
  capabilities = ["pull", "resolve"]
  ca = "/etc/containerd/certs.d/docker.io/ca.crt"

[host."https://cache.example.com/v2/docker"]
  capabilities = ["pull", "resolve"]
  override_path = true
  ca = "/etc/containerd/certs.d/docker.io/ca.crt"
`,
      ],
      ['/etc/containerd/certs.d/docker.io/ca.crt', PEM],
    ]);
  });

  test('get the user and password of a Secret, in a file that only root may read', () => {
    const registry = Registry.parse({ host: 'docker.io', mirrors: ['https://mirror.example.com'] });
    const filled = { ...registry, credentials: 'fake-user:fake:password' };
    const [file] = runtimeFiles({ registries: [filled] }, CLUSTER, 'Machine "a/b"');
    expect(file?.mode).toBe('0600');
    expect(Buffer.from(file?.content ?? '', 'base64').toString()).toBe(`[host."https://mirror.example.com"]
  capabilities = ["pull", "resolve"]
  [host."https://mirror.example.com".header]
    Authorization = "Basic ${Buffer.from('fake-user:fake:password').toString('base64')}"
`);
  });

  test('stop the first boot where containerd would ignore them', () => {
    const { commands } = textsOf({ registries: [{ host: 'docker.io', mirrors: ['http://10.0.0.9:5000'] }] });
    expect(commands).toEqual([expect.stringContaining('containerd config dump')]);
  });

  test('are configured once for each registry', () => {
    const registries = [
      { host: 'docker.io', mirrors: ['https://a.example.com'] },
      { host: 'docker.io', mirrors: ['https://b.example.com'] },
    ];
    expect(() => textsOf({ registries })).toThrow(/registries\[1\]\.host: "docker\.io" is not accepted/);
  });
});

describe('a proxy', () => {
  const { files, commands } = textsOf({
    proxy: { http: 'http://fake:a%40b@proxy.example.com:3128', none: ['registry.example.com', '.svc'] },
  });

  test('is set for containerd and kubelet, with the blocks of the cluster reached without it', () => {
    expect([...files.keys()]).toEqual([
      '/etc/systemd/system/containerd.service.d/90-slipway-proxy.conf',
      '/etc/systemd/system/kubelet.service.d/90-slipway-proxy.conf',
    ]);
    const none =
      'localhost,127.0.0.1,::1,169.254.169.254,metadata.google.internal,10.244.0.0/16,.svc,registry.example.com';
    const [text = ''] = files.values();
    expect(text).toBe(
      '[Service]\n' +
        'Environment="HTTP_PROXY=http://fake:a%%40b@proxy.example.com:3128" "http_proxy=http://fake:a%%40b@proxy.example.com:3128" ' +
        `"NO_PROXY=${none}" "no_proxy=${none}"\n`,
    );
  });

  test('is also used by a containerd that runs already', () => {
    expect(commands).toEqual(['systemctl daemon-reload', 'systemctl try-restart containerd.service']);
  });
});
