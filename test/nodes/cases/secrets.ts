/** Secrets of the cluster are encrypted in etcd, every API server reads them, and the audit log says who wrote one. */
import { hold } from '../../e2e/cases/case.ts';
import type { Machine } from '../lab/machine.ts';
import type { Case } from './case.ts';

const WORD = 'FAKE-word-that-etcd-must-not-know';
const WAL = '/var/lib/etcd/member/wal';
const LOG = '/var/log/kubernetes/audit/audit.log';

export const secretsCase: Case = {
  name: 'secrets',
  async run({ arrivals, kubectl }) {
    const planes = arrivals.map(({ machine }) => machine).filter(({ part }) => part !== 'worker');
    const [first, ...others] = planes;
    if (first === undefined) throw new Error('no control plane has booted');
    const at = ({ address }: Machine): string => `--server=https://${address}:6443`;
    await kubectl('create', 'secret', 'generic', 'looked-for', `--from-literal=word=${WORD}`, at(first));
    for (const { name, exec } of planes) {
      const count = async (word: string): Promise<number> =>
        Number(await exec('sh', '-c', `cat ${WAL}/*.wal | grep -a -o -F -e ${word} | wc -l`));
      hold(`${name}: etcd does not have it in clear`, (await count(WORD)) === 0);
      hold(`${name}: etcd has it encrypted`, (await count('k8s:enc:secretbox:v1:key1')) > 0);
    }
    for (const machine of others) {
      const read = await kubectl('get', 'secret', 'looked-for', '--output=jsonpath={.data.word}', at(machine));
      hold(`${machine.name} reads what ${first.name} wrote`, Buffer.from(read, 'base64').toString() === WORD, read);
    }
    const written = await first.exec('grep', '-c', '"verb":"create".*"resource":"secrets".*looked-for', LOG);
    hold('the audit log has it', Number(written) > 0, written);
    const told = await first.exec('sh', '-c', `grep -c ${WORD} ${LOG} || true`);
    hold('the audit log does not have its contents', told.trim() === '0', told);
    return `one written on ${first.name} is encrypted in etcd, read on ${others.length} more, and in the audit log`;
  },
};
