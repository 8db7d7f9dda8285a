/** The authority of the cluster is the one in its Secret, on every machine and for every client. */
import { X509Certificate } from 'node:crypto';
import { hold } from '../../e2e/cases/case.ts';
import type { Case } from './case.ts';

const API_SERVER = '/etc/kubernetes/pki/apiserver.crt';

export const authorityCase: Case = {
  name: 'authority',
  async run({ arrivals, claimed }) {
    const ca = new X509Certificate(claimed.secret('ca', 'tls.crt'));
    for (const { machine } of arrivals) {
      const { name, part, exec } = machine;
      const own = new X509Certificate(await exec('cat', '/etc/kubernetes/pki/ca.crt'));
      hold(`${name} trusts the authority of Secret ca`, own.fingerprint256 === ca.fingerprint256);
      const kubelet = new X509Certificate(await exec('cat', '/var/lib/kubelet/pki/kubelet-client-current.pem'));
      hold(`${name}: its kubelet's certificate is signed by it`, kubelet.verify(ca.publicKey), kubelet.issuer);
      if (part === 'worker') {
        const keys = await exec('find', '/etc/kubernetes/pki', '-name', '*.key');
        hold(`${name}: a worker has no key of an authority`, keys === '', keys);
        continue;
      }
      const server = new X509Certificate(await exec('cat', API_SERVER));
      hold(`${name}: its API server's certificate is signed by it`, server.verify(ca.publicKey), server.issuer);
    }
    return `every kubelet and API server answers to ${ca.fingerprint256.slice(0, 11)}…, that of the Secret`;
  },
};
