import { request } from "node:https";
import { Redis } from "ioredis";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../testing/ports";
import { services } from "../../../testing/services";
import { type Nginx, startNginx } from "./nginx-process";
import { startProcess } from "./server-process";
import { postgresDatabase } from "./temporary-database";
import { temporaryDirectory } from "./temporary-directory";

const canRun = services.nginx && services.postgres && services.redis;

const managementKey = "management-key-for-two-servers";
const user = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };

/** Redis database 15, which no other suite uses. */
async function ownRedis(): Promise<string> {
	const url = new URL(String(services.redis));
	url.pathname = "/15";
	const clear = async () => {
		const redis = new Redis(url.href);
		await redis.flushdb();
		await redis.quit();
	};
	await clear();
	onTestFinished(clear);
	return url.href;
}

let clients = 0;

/** Sends a request over TLS, each from another IP address of this machine: rate limits count per address. */
function send(
	{ origin, certificate }: Nginx,
	path: string,
	body?: object,
	headers: Record<string, string> = {},
): Promise<{ status: number; body: string; cookie: string }> {
	clients += 1;
	return new Promise((resolve, reject) => {
		const call = request(
			`${origin}/api/auth${path}`,
			{
				method: body ? "POST" : "GET",
				ca: certificate,
				agent: false,
				family: 4,
				localAddress: `127.0.${1 + (clients >> 7)}.${1 + (clients & 127)}`,
				headers: { ...(body ? { "content-type": "application/json" } : {}), ...headers },
			},
			(response) => {
				let text = "";
				response.on("data", (chunk) => {
					text += chunk;
				});
				response.on("error", reject);
				response.on("end", () =>
					resolve({
						status: Number(response.statusCode),
						body: text,
						cookie: (response.headers["set-cookie"] ?? [])
							.map((cookie) => cookie.split(";")[0])
							.join("; "),
					}),
				);
			},
		);
		call.on("error", reject);
		call.end(body && JSON.stringify(body));
	});
}

const until = async (isTrue: () => boolean) => {
	while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe.skipIf(!canRun)("two servers behind nginx", () => {
	test("every sign-in succeeds while one server is killed and started again", async () => {
		const [port, one, two] = [await freePort(), await freePort(), await freePort()];
		const environment = {
			BETTER_AUTH_URL: `https://localhost:${port}`,
			BETTER_AUTH_SECRET: "the secret that both servers share: 7hT!q0",
			MANAGEMENT_KEYS: managementKey,
			DATABASE_URL: await postgresDatabase(String(services.postgres)),
			REDIS_URL: await ownRedis(),
			TRUST_PROXY: "127.0.0.1",
			LOG_LEVEL: "error",
		};
		const start = (own: number) =>
			startProcess({ ...environment, PORT: String(own), DATA_DIR: temporaryDirectory() });
		const [first, second] = [start(one), start(two)];
		await Promise.all([first.url(), second.url()]);
		const nginx = await startNginx(port, [one, two]);

		const key = { authorization: `Bearer ${managementKey}` };
		const created = await send(nginx, "/tenant/create", { name: "Acme", slug: "acme" }, key);
		const tenant = { "x-tenant-id": JSON.parse(created.body).id };
		expect((await send(nginx, "/tenant/sign-up/email", user, tenant)).status).toBe(200);

		const outcomes: string[] = [];
		const cookies: string[] = [];
		let isOver = false;
		const { email, password } = user;
		const client = async () => {
			while (!isOver) {
				const answer = await send(
					nginx,
					"/tenant/sign-in/email",
					{ email, password },
					tenant,
				).catch((error) => ({ status: String(error), body: "", cookie: "" }));
				outcomes.push(`${answer.status}${answer.status === 200 ? "" : answer.body}`);
				if (answer.cookie) cookies.push(answer.cookie);
			}
		};
		const clients = [client(), client()];
		const more = (count: number) => {
			const wanted = outcomes.length + count;
			return until(() => outcomes.length >= wanted);
		};
		/** Waits until the server answers a sign-in through nginx. */
		const untilUsed = (own: number) => {
			const seen = nginx.log().length;
			return until(() =>
				nginx
					.log()
					.slice(seen)
					.some(({ status, upstream }) => status === 200 && upstream === `127.0.0.1:${own}`),
			);
		};
		await Promise.all([untilUsed(one), untilUsed(two)]);

		// While it handles requests.
		first.kill("SIGKILL");
		await first.exitCode();
		await more(6);
		await start(one).url();
		await untilUsed(one);

		// As during an upgrade.
		second.kill("SIGTERM");
		await second.exitCode();
		await more(6);
		await start(two).url();
		await untilUsed(two);

		isOver = true;
		await Promise.all(clients);
		expect(new Set(outcomes)).toEqual(new Set(["200"]));

		// The first session is older than both restarts.
		for (const cookie of [cookies[0], cookies.at(-1)]) {
			for (const own of [one, two]) {
				const answer = await fetch(`http://127.0.0.1:${own}/api/auth/get-session`, {
					headers: { cookie: String(cookie) },
				});
				expect(await answer.json()).toMatchObject({ user: { email } });
			}
		}
	});
});
