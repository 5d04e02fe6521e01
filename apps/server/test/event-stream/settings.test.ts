import { describe, expect, test } from "vitest";
import { freePort } from "../../../../testing/ports";
import { secretValues, serviceConfig } from "../../src/settings/service-config";
import { readSettings } from "../../src/settings/settings";
import { command } from "../cli-command";
import { temporaryDirectory } from "../temporary-directory";
import { ok, startCollector, withStatus } from "./collector";

const URL_SETTING = { EVENT_STREAM_URL: "https://collector.example.com:4318/v1/logs" };
const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

describe("settings", () => {
	const read = (environment: Record<string, string>) => readSettings(environment, "/").eventStream;

	test("name the collector, with headers as OpenTelemetry writes them", () => {
		expect(read({})).toBeNull();
		expect(read(URL_SETTING)).toEqual({
			url: URL_SETTING.EVENT_STREAM_URL,
			format: "otlp",
			headers: {},
			secret: null,
		});
		expect(
			read({
				EVENT_STREAM_URL: "http://10.0.0.7/events?source=auth",
				EVENT_STREAM_FORMAT: "JSON",
				EVENT_STREAM_HEADERS: "Authorization=Bearer%20a%3Db%2Cc, x-scope = auth",
				EVENT_STREAM_SECRET: SECRET,
			}),
		).toEqual({
			url: "http://10.0.0.7/events?source=auth",
			format: "json",
			headers: { authorization: "Bearer a=b,c", "x-scope": "auth" },
			secret: SECRET,
		});
	});

	test.each([
		["another scheme", { EVENT_STREAM_URL: "ftp://a.example/" }, "EVENT_STREAM_URL must be an"],
		["no URL", { EVENT_STREAM_URL: "collector:4318" }, "EVENT_STREAM_URL must be an"],
		["a password", { EVENT_STREAM_URL: "https://a:hidden@a.example/" }, "without a user"],
		["a fragment", { EVENT_STREAM_URL: "https://a.example/#a" }, "without a user"],
		["an unknown format", { ...URL_SETTING, EVENT_STREAM_FORMAT: "syslog" }, "otlp, json"],
		["headers alone", { EVENT_STREAM_HEADERS: "a=b" }, "together with EVENT_STREAM_URL"],
		["a secret alone", { EVENT_STREAM_SECRET: SECRET }, "together with EVENT_STREAM_URL"],
		["a secret without JSON", { ...URL_SETTING, EVENT_STREAM_SECRET: SECRET }, "FORMAT=json"],
		["a short secret", { ...URL_SETTING, EVENT_STREAM_SECRET: "whsec_aGlkZGVu" }, "24 to 64"],
	])("refuse %s", (_, environment: Record<string, string>, message) => {
		expect(() => read(environment)).toThrow(message);
		expect(() => read(environment)).not.toThrow("hidden");
	});

	test.each([
		"hidden",
		"a=",
		"=hidden",
		"a=hidden%",
		"a=hidden%0Ab",
		"a=%E2%82%AC",
		"a b=hidden",
		"a=1,A=hidden",
		"a=hidden,",
		"host=hidden",
		"content-type=text/plain",
		"Content-Length=0",
		"webhook-id=hidden",
		"transfer-encoding=chunked",
	])("refuse the headers %s, and do not show them", (EVENT_STREAM_HEADERS) => {
		const problem = () => read({ ...URL_SETTING, EVENT_STREAM_HEADERS });
		expect(problem).toThrow("EVENT_STREAM_HEADERS must be a comma-separated list");
		expect(problem).not.toThrow("hidden");
	});

	test("are secrets, which no log line contains", () => {
		const settings = readSettings(
			{
				EVENT_STREAM_URL: "https://a.example/?api_key=key-in-the-url",
				EVENT_STREAM_FORMAT: "json",
				EVENT_STREAM_HEADERS: "authorization=Bearer%20token-of-mine",
				EVENT_STREAM_SECRET: SECRET,
			},
			"/",
		);
		const secrets = { secret: null, managementKeys: [], fromSettings: true } as never;
		expect(secretValues(serviceConfig(settings, secrets, 3000))).toEqual(
			expect.arrayContaining(["Bearer token-of-mine", "token-of-mine", "key-in-the-url", SECRET]),
		);
	});
});

describe("doctor", () => {
	const examine = async (more: Record<string, string>, ...args: string[]) => {
		const environment = {
			DATA_DIR: temporaryDirectory(),
			BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more",
			...more,
		};
		const { out } = await command(environment, ["doctor", "--json", ...args]);
		const { checks } = JSON.parse(out) as {
			checks: { check: string; findings: { problem: string }[] }[];
		};
		return checks.find(({ check }) => check === "event-stream");
	};

	test("sends a request without events, which a collector accepts", async () => {
		const collector = await startCollector(ok);
		const EVENT_STREAM_URL = collector.url;
		expect(await examine({ EVENT_STREAM_URL })).toMatchObject({ status: "ok" });
		expect(JSON.parse(String(collector.received[0]?.text))).toMatchObject({
			resourceLogs: [{ scopeLogs: [{ logRecords: [] }] }],
		});
		expect(await examine({ EVENT_STREAM_URL }, "--offline")).toMatchObject({ status: "ok" });
		expect(collector.received).toHaveLength(1);
		// A receiver of JSON may want at least one event.
		collector.respondWith(withStatus(400));
		const json = { EVENT_STREAM_URL, EVENT_STREAM_FORMAT: "json" };
		expect(await examine(json)).toMatchObject({ status: "ok" });
	});

	test.each([
		["another path", withStatus(404), "responded with 404"],
		["a wrong token", withStatus(401), "responded with 401"],
		["another format", withStatus(400), "responded with 400"],
		["a web page", withStatus(200, "<html>"), "not one of an OTLP collector"],
	])("says what is wrong with %s", async (_, respond, problem) => {
		const collector = await startCollector(respond);
		const found = await examine({ EVENT_STREAM_URL: `${collector.url}?api_key=hidden-key` });
		expect(found?.findings).toEqual([
			{ problem: expect.stringContaining(problem), remedy: expect.any(String) },
		]);
		expect(JSON.stringify(found)).not.toContain("hidden-key");
	});

	test("says that nobody listens, and that a public URL is not encrypted", async () => {
		const away = await examine({ EVENT_STREAM_URL: `http://127.0.0.1:${await freePort()}/` });
		expect(away?.findings).toMatchObject([{ problem: expect.stringContaining("ECONNREFUSED") }]);
		const open = await examine({ EVENT_STREAM_URL: "http://collector.example.com/" }, "--offline");
		expect(open?.findings).toMatchObject([{ problem: expect.stringContaining("unencrypted") }]);
		expect(await examine({})).toMatchObject({ status: "skipped" });
	});
});
