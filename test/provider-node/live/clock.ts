/**
 * Loaded before provider-node (`node --import`): its clock is set by signals, to an hour ahead by SIGUSR2 and to an hour
 * behind by SIGHUP. Nothing else on the machine is.
 */
const HOUR = 3_600_000;
const real = Date.now.bind(Date);
let ahead = 0;

Date.now = () => real() + ahead;
process.on('SIGUSR2', () => (ahead = HOUR));
process.on('SIGHUP', () => (ahead = -HOUR));
