import { parseArgs } from "node:util";

export type LoadOptions = {
	seconds: number;
	tenants: number;
	/** How many requests are under way at any moment: each is followed by the next at once. */
	concurrency: number;
	/** A PostgreSQL server on which a database may be made; the embedded file without it. */
	postgres: string | null;
	/** An empty database of a Redis server. */
	redis: string | null;
};

export const usage = `Signs in, reads sessions and starts social sign-ins in many tenants at once,
against a service that is started for it on this machine.

  npm run load -- [options]

  --minutes <n>       how long (10)
  --seconds <n>       the same, for a short look
  --tenants <n>       how many tenants, each with one user and one OAuth client (1000)
  --concurrency <n>   how many requests are under way at any moment (32)
  --postgres <url>    a PostgreSQL server on which a database is made, and dropped at the end;
                      else the service runs on its embedded file
  --redis <url>       an empty database of a Redis server, which is emptied at the end

Exit code 1: an answer was wrong or of another tenant, or memory grew.`;

/** @throws Error with a sentence for what was typed in a wrong way */
export function readOptions(args: string[]): LoadOptions | "help" {
	const { values } = parseArgs({
		args,
		options: {
			minutes: { type: "string", default: "10" },
			seconds: { type: "string" },
			tenants: { type: "string", default: "1000" },
			concurrency: { type: "string", default: "32" },
			postgres: { type: "string" },
			redis: { type: "string" },
			help: { type: "boolean" },
		},
	});
	if (values.help) return "help";
	const number = (name: string, text: string, least: number, most: number) => {
		const value = Number(text);
		if (value >= least && value <= most) return value;
		throw new Error(`--${name} must be a number from ${least} to ${most}.`);
	};
	return {
		seconds: values.seconds
			? number("seconds", values.seconds, 1, 7200)
			: number("minutes", values.minutes, 0.1, 120) * 60,
		tenants: number("tenants", values.tenants, 2, 100_000),
		concurrency: number("concurrency", values.concurrency, 1, 256),
		postgres: values.postgres ? onThisMachine("postgres", values.postgres) : null,
		redis: values.redis ? onThisMachine("redis", values.redis) : null,
	};
}

/** So much load is nothing to send to anybody else's machine. */
function onThisMachine(name: string, url: string): string {
	const host = URL.canParse(url) ? new URL(url).hostname : "";
	if (["localhost", "127.0.0.1", "[::1]"].includes(host)) return url;
	throw new Error(`--${name} must be an address of this machine.`);
}
