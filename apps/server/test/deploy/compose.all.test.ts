import { existsSync } from "node:fs";
import { BlockList } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { notEmpty, possiblyEmpty } from "../../../../testing/not-empty";
import { readSettings } from "../../src/settings/settings";
import { deployFile, readDeployFile } from "./deploy-files";
import { environmentOf, parseDockerfile } from "./dockerfile";
import { readWithDocker } from "./env-file-readers";

type Service = {
	image: string;
	build?: { context: string; dockerfile: string };
	environment?: Record<string, string>;
	env_file?: string;
	depends_on?: Record<string, { condition: string }>;
	healthcheck?: object;
	networks?: { default: { ipv4_address: string } };
	ports?: string[];
	volumes?: string[];
};

const compose: {
	services: Record<string, Service>;
	networks: { default: { ipam: { config: { subnet: string }[] } } };
	volumes: Record<string, null>;
} = parse(readDeployFile("compose.yaml"), { merge: true });

const { services } = compose;
const servers = Object.entries(services).filter(([, { build }]) => build);
const addressOf = (name: string) => services[name]?.networks?.default.ipv4_address;
const image = environmentOf(parseDockerfile(deployFile("Dockerfile")).at(-1) ?? neverEmpty());

function neverEmpty(): never {
	throw new Error("deploy/Dockerfile has no stage");
}

describe("deploy/compose.yaml", () => {
	test("builds the servers with the Dockerfile of the repository", () => {
		expect(servers.length).toBe(2);
		for (const [, { build }] of notEmpty(servers)) {
			const context = deployFile(String(build?.context));
			expect(existsSync(join(context, ".dockerignore"))).toBe(true);
			expect(join(context, String(build?.dockerfile))).toBe(deployFile("Dockerfile"));
		}
	});

	test("gives nginx the configuration whose servers are the servers", () => {
		expect(services.nginx?.volumes).toContain("./nginx.conf:/etc/nginx/nginx.conf:ro");
		const upstreams = [...readDeployFile("nginx.conf").matchAll(/^ +server (\S+) max_fails/gm)];
		expect(upstreams.map(([, upstream]) => upstream)).toEqual(
			servers.map(([name]) => `${name}:${image.PORT}`),
		);
	});

	test("has one address for each server and for nginx, in its network", () => {
		const [subnet = "", prefix] = (compose.networks.default.ipam.config[0]?.subnet ?? "").split(
			"/",
		);
		const range = new BlockList();
		range.addSubnet(subnet, Number(prefix));
		const addresses = [...servers.map(([name]) => addressOf(name)), addressOf("nginx")];
		for (const address of notEmpty(addresses))
			expect(range.check(String(address)), address).toBe(true);
		expect(new Set(addresses).size).toBe(addresses.length);
	});

	test("lets only nginx be reached from outside", () => {
		const open = Object.entries(services).filter(([, { ports }]) => ports);
		expect(open.map(([name]) => name)).toEqual(["nginx"]);
	});

	test("waits for services that report their health", () => {
		for (const [name, { depends_on = {} }] of notEmpty(Object.entries(services))) {
			for (const [needed, { condition }] of possiblyEmpty(Object.entries(depends_on))) {
				expect(condition, `${name} waits for ${needed}`).toBe("service_healthy");
				// The health check of the servers is in the image.
				const reports = services[needed]?.healthcheck ?? services[needed]?.build;
				expect(reports, needed).toBeDefined();
			}
		}
	});

	test("declares the volumes that it uses", () => {
		const used = Object.values(services).flatMap(({ volumes = [] }) =>
			volumes.map((volume) => String(volume.split(":")[0])),
		);
		const named = used.filter((source) => !source.startsWith("."));
		expect(named.sort()).toEqual(Object.keys(compose.volumes).sort());
	});

	test("has settings that the servers accept, and that fit the other services", () => {
		const password = "0123456789abcdef";
		const { POSTGRES_USER, POSTGRES_DB } = services.postgres?.environment ?? {};
		for (const [name, { env_file, environment = {} }] of notEmpty(servers)) {
			expect(env_file).toBe(".env");
			const own = Object.entries(environment).map(([variable, value]) => [
				variable,
				value.replace(/\$\{POSTGRES_PASSWORD:\?[^}]*\}/, password),
			]);
			const settings = readSettings(
				{
					...image,
					...readWithDocker(deployFile("env.example")),
					BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more",
					...Object.fromEntries(own),
				},
				"/",
			);
			expect(settings, name).toMatchObject({
				host: "0.0.0.0",
				port: Number(image.PORT),
				database: { url: `postgres://${POSTGRES_USER}:${password}@postgres/${POSTGRES_DB}` },
				redisUrl: "redis://redis",
				trustedProxies: { addresses: [addressOf("nginx")] },
			});
		}
	});
});
