import { expect, test } from "vitest";
import { parseRedisUrl } from "../src/settings/redis-url";

test("a URL of Sentinels", () => {
	const url =
		"rediss-sentinel://auth:p%40ss@10.0.0.1:26380,redis-2,[::1]:7/mymaster/2?sentinelPassword=other";
	expect(parseRedisUrl(url)).toEqual({
		kind: "sentinel",
		sentinels: [
			{ host: "10.0.0.1", port: 26380 },
			{ host: "redis-2", port: 26379 },
			{ host: "::1", port: 7 },
		],
		name: "mymaster",
		database: 2,
		credentials: { username: "auth", password: "p@ss" },
		sentinelPassword: "other",
		hasTls: true,
		passwords: ["p%40ss", "p@ss", "other", "other"],
	});
});

test("a URL of a cluster", () => {
	expect(parseRedisUrl("redis-cluster://:secret@10.0.0.1,10.0.0.2:6380/")).toEqual({
		kind: "cluster",
		nodes: [
			{ host: "10.0.0.1", port: 6379 },
			{ host: "10.0.0.2", port: 6380 },
		],
		credentials: { password: "secret" },
		hasTls: false,
		passwords: ["secret", "secret"],
	});
});

test("the URL of one Redis is left to its driver", () => {
	const url = "redis://:a%2Fb@127.0.0.1:6379/1";
	expect(parseRedisUrl(url)).toEqual({ kind: "single", url, passwords: ["a%2Fb", "a/b"] });
});
