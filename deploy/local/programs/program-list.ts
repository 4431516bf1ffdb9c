export type ProgramName =
  | 'postgres'
  | 'pgbouncer'
  | 'redis'
  | 'nats'
  | 'chromium'
  | 'apache'
  | 'authlib'
  | 'caddy'
  | 'prometheus'
  | 'promtool'
  | 'yamllint'
  | ContainerProgramName
  | ExporterName

/** Exports metrics of servers without Prometheus metrics of their own. */
export type ExporterName = 'postgres_exporter' | 'redis_exporter' | 'blackbox_exporter'

/** Builds images, or runs containers on Linux. */
export type ContainerProgramName = 'buildah' | 'runc' | 'iptables' | 'ipset'

/** How a program is found on a machine. */
export interface ProgramQuery {
  /** File names it goes by, looked for in each folder of PATH and of `folders`. */
  readonly files: readonly string[]
  /** Directories in addition to PATH; `*` matches one path segment. */
  readonly folders: readonly string[]
  /** Environment variable with the file to use instead. */
  readonly variable?: string
  /** Arguments that print its version; by default `--version`. */
  readonly versionArguments?: readonly string[]
  /** Matches the version in the output. */
  readonly version: RegExp
  readonly atLeast: readonly number[]
}

export interface ProgramDescription extends ProgramQuery {
  readonly title: string
  /** Packages, a space between them. */
  readonly apt: string
  readonly brew: string
  /** Advice if the system's packages are too old. */
  readonly otherwise: string
}

const homebrewRoots = ['/opt/homebrew', '/usr/local', '/home/linuxbrew/.linuxbrew']

export const programList: Record<ProgramName, ProgramDescription> = {
  postgres: {
    title: 'PostgreSQL',
    files: ['postgres'],
    folders: [
      '/usr/lib/postgresql/*/bin', // Debian, Ubuntu
      '/usr/pgsql-*/bin', // Red Hat, from postgresql.org
      ...homebrewRoots.flatMap((root) => [`${root}/opt/postgresql@*/bin`, `${root}/opt/postgresql/bin`]),
      '/Applications/Postgres.app/Contents/Versions/*/bin',
      '/Library/PostgreSQL/*/bin',
      '/usr/local/pgsql/bin',
    ],
    version: /PostgreSQL\D+(\d+(?:\.\d+)*)/,
    atLeast: [15],
    apt: 'postgresql',
    brew: 'postgresql@17',
    otherwise: 'Get PostgreSQL from https://www.postgresql.org/download/, or name a running server by DATABASE_URL.',
  },
  pgbouncer: {
    title: 'PgBouncer',
    files: ['pgbouncer'],
    folders: ['/usr/sbin', ...homebrewRoots.map((root) => `${root}/opt/pgbouncer/bin`)],
    variable: 'PGBOUNCER',
    version: /PgBouncer (\d+(?:\.\d+)*)/,
    atLeast: [1, 18],
    apt: 'pgbouncer',
    brew: 'pgbouncer',
    otherwise: 'Get PgBouncer from https://www.pgbouncer.org, or name its program file by PGBOUNCER.',
  },
  redis: {
    title: 'Redis (or Valkey)',
    files: ['redis-server', 'valkey-server'],
    folders: homebrewRoots.flatMap((root) => [`${root}/opt/redis/bin`, `${root}/opt/valkey/bin`]),
    version: /v=(\d+(?:\.\d+)*)/,
    atLeast: [7],
    apt: 'redis-server',
    brew: 'redis',
    otherwise: 'Get Redis from https://redis.io/downloads/, or name a running server by REDIS_URL.',
  },
  nats: {
    title: 'nats-server',
    files: ['nats-server'],
    folders: ['/usr/sbin', ...homebrewRoots.map((root) => `${root}/opt/nats-server/bin`)],
    version: /v?(\d+(?:\.\d+)*)/,
    atLeast: [2, 9],
    apt: 'nats-server',
    brew: 'nats-server',
    otherwise: 'Get nats-server from https://nats.io/download/, or name a running server by NATS_URL.',
  },
  chromium: {
    title: 'Chromium',
    // The headless shell first: it opens a page with a fifth of the CPU time.
    files: [
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
      'Chromium',
      'Google Chrome',
    ],
    folders: ['/Applications/Chromium.app/Contents/MacOS', '/Applications/Google Chrome.app/Contents/MacOS'],
    variable: 'CHROMIUM',
    version: /(\d+(?:\.\d+)*)/,
    atLeast: [100],
    apt: 'chromium-headless-shell',
    brew: 'google-chrome',
    otherwise: 'Get Chrome from https://www.google.com/chrome/, or name its program file by CHROMIUM.',
  },
  apache: {
    title: 'Apache 2.4 with mod_auth_openidc',
    files: ['apache2', 'httpd'],
    folders: ['/usr/sbin'],
    versionArguments: ['-v'],
    version: /Apache\/(\d+(?:\.\d+)*)/,
    atLeast: [2, 4],
    apt: 'libapache2-mod-auth-openidc',
    brew: 'httpd',
    otherwise: 'Install mod_auth_openidc from https://github.com/OpenIDC/mod_auth_openidc/releases.',
  },
  authlib: {
    title: 'Python 3 with Authlib and Requests',
    files: ['python3'],
    folders: ['/usr/bin', ...homebrewRoots.map((root) => `${root}/bin`)],
    versionArguments: ['-c', 'import authlib, requests; print(authlib.__version__)'],
    version: /(\d+(?:\.\d+)*)/,
    atLeast: [1],
    apt: 'python3-authlib python3-requests',
    brew: 'python',
    otherwise: 'Type: python3 -m pip install authlib requests',
  },
  caddy: {
    title: 'Caddy',
    files: ['caddy'],
    folders: homebrewRoots.map((root) => `${root}/bin`),
    variable: 'CADDY',
    versionArguments: ['version'],
    version: /v?(\d+(?:\.\d+)*)/,
    atLeast: [2, 6],
    apt: 'caddy',
    brew: 'caddy',
    otherwise: 'Get Caddy from https://caddyserver.com/docs/install, or name its program file by CADDY.',
  },
  prometheus: {
    title: 'Prometheus',
    files: ['prometheus'],
    folders: homebrewRoots.map((root) => `${root}/bin`),
    version: /version (\d+(?:\.\d+)*)/,
    atLeast: [2, 42],
    apt: 'prometheus',
    brew: 'prometheus',
    otherwise: 'Get Prometheus from https://prometheus.io/download/.',
  },
  promtool: {
    title: 'promtool of Prometheus',
    files: ['promtool'],
    folders: homebrewRoots.map((root) => `${root}/opt/prometheus/bin`),
    variable: 'PROMTOOL',
    version: /promtool, version (\d+(?:\.\d+)*)/,
    atLeast: [2, 42],
    apt: 'prometheus',
    brew: 'prometheus',
    otherwise: 'Get Prometheus from https://prometheus.io/download/, or name its promtool by PROMTOOL.',
  },
  yamllint: {
    title: 'yamllint',
    files: ['yamllint'],
    folders: homebrewRoots.map((root) => `${root}/bin`),
    version: /(\d+(?:\.\d+)*)/,
    atLeast: [1, 26],
    apt: 'yamllint',
    brew: 'yamllint',
    otherwise: 'Type: python3 -m pip install yamllint',
  },
  buildah: onLinux('buildah', [1, 28]),
  runc: onLinux('runc', [1, 1]),
  iptables: onLinux('iptables', [1, 8]),
  ipset: onLinux('ipset', [7]),
  postgres_exporter: exporter(
    'postgres_exporter',
    [0, 11],
    'https://github.com/prometheus-community/postgres_exporter',
  ),
  redis_exporter: exporter('redis_exporter', [1, 45], 'https://github.com/oliver006/redis_exporter'),
  blackbox_exporter: exporter('blackbox_exporter', [0, 23], 'https://github.com/prometheus/blackbox_exporter'),
}

function exporter(name: ExporterName, atLeast: readonly number[], home: string): ProgramDescription {
  const ofDebian = `prometheus-${name.replace('_', '-')}`
  return {
    title: name,
    files: [name, ofDebian],
    folders: homebrewRoots.map((root) => `${root}/bin`),
    version: /(?:version|Exporter) v?(\d+(?:\.\d+)*)/,
    atLeast,
    apt: ofDebian,
    brew: name,
    otherwise: `Get it from ${home}/releases.`,
  }
}

function onLinux(name: ContainerProgramName, atLeast: readonly number[]): ProgramDescription {
  return {
    title: name,
    files: [name],
    folders: ['/usr/sbin', '/sbin'],
    version: /v?(\d+(?:\.\d+)+)/,
    atLeast,
    apt: name,
    brew: name,
    otherwise: `Install ${name} with the package manager of your Linux.`,
  }
}

/** A requirement in a message: "PostgreSQL 15 or newer". */
export function describeRequirement(name: ProgramName): string {
  const { title, atLeast } = programList[name]
  return `${title} ${atLeast.join('.')} or newer`
}
