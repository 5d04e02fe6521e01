type Address = { host: string; port: number };

type Credentials = { username?: string; password?: string };

/** Where Redis is, and of which kind. */
export type RedisLocation =
	| { kind: "single"; url: string; passwords: string[] }
	| {
			kind: "sentinel";
			sentinels: Address[];
			/** The name that the Sentinels have for the master. */
			name: string;
			database: number;
			credentials: Credentials;
			sentinelPassword: string | null;
			hasTls: boolean;
			passwords: string[];
	  }
	| {
			kind: "cluster";
			nodes: Address[];
			credentials: Credentials;
			hasTls: boolean;
			passwords: string[];
	  };

const FORM =
	/^(?<tls>rediss?)-(?<kind>sentinel|cluster):\/\/((?<user>[^@/?]*)@)?(?<hosts>[^@/?#]+)(?<path>\/[^?#]*)?(\?(?<query>[^#]*))?$/;

/** `host` or `host:port`. An IPv6 address is in brackets. */
const ADDRESS = /^(?<host>[\w.-]+|\[[\da-f:.]+\])(:(?<port>\d{1,5}))?$/i;

/** @returns the location, or what is wrong, as the end of a sentence that starts with the variable's name */
export function parseRedisUrl(text: string): RedisLocation | string {
	const parts = FORM.exec(text)?.groups;
	if (parts) return parseSeveral(parts);
	if (/^rediss?:\/\/[^/]*,/.test(text)) {
		return "must name one host. For several, use redis-sentinel:// or redis-cluster://.";
	}
	const url = URL.canParse(text) ? new URL(text) : null;
	if (!url || !["redis:", "rediss:"].includes(url.protocol) || url.hostname === "") {
		return "must be a redis:// or rediss:// URL, or one that starts with redis-sentinel:// or redis-cluster://.";
	}
	return { kind: "single", url: text, passwords: bothForms(url.password) };
}

function parseSeveral(parts: Record<string, string | undefined>): RedisLocation | string {
	const { tls, kind, user = "", hosts = "", path = "", query = "" } = parts;
	const isSentinel = kind === "sentinel";
	const addresses = hosts.split(",").map((host) => parseAddress(host, isSentinel ? 26379 : 6379));
	if (addresses.includes(null)) return "must have hosts such as 10.0.0.1:26379,10.0.0.2:26379.";
	const [username = "", password = ""] = user.split(/:(.*)/s);
	const options = new URLSearchParams(query);
	const sentinelPassword = options.get("sentinelPassword");
	const credentials = {
		...(username ? { username: decode(username) } : {}),
		...(password ? { password: decode(password) } : {}),
	};
	const common = { credentials, hasTls: tls === "rediss" };
	const unknown = [...options.keys()].find((name) => !isSentinel || name !== "sentinelPassword");
	if (unknown !== undefined) return `has an unknown option: ${unknown}.`;
	const passwords = [...bothForms(password), ...bothForms(sentinelPassword ?? "")];
	if (!isSentinel) {
		if (path.length > 1) return "must not name a database: a cluster has only one.";
		return { kind: "cluster", nodes: addresses as Address[], ...common, passwords };
	}
	const [, name = "", database] = /^\/([^/]*)(?:\/(\d{1,4}))?$/.exec(path) ?? [];
	if (!name) {
		return "must end with the name that the Sentinels have for the master, such as redis-sentinel://10.0.0.1:26379,10.0.0.2:26379/mymaster.";
	}
	return {
		kind: "sentinel",
		sentinels: addresses as Address[],
		name: decode(name),
		database: Number(database ?? 0),
		sentinelPassword,
		...common,
		passwords,
	};
}

function parseAddress(text: string, defaultPort: number): Address | null {
	const { host, port } = ADDRESS.exec(text.trim())?.groups ?? {};
	if (!host || Number(port ?? 1) > 65_535) return null;
	return { host: host.replace(/^\[|\]$/g, ""), port: Number(port ?? defaultPort) };
}

/** As it is in the URL, and as Redis gets it. */
const bothForms = (password: string) => (password ? [password, decode(password)] : []);

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
