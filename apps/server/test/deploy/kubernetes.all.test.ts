import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { notEmpty } from "../../../../testing/not-empty";
import { startProcess } from "../server-process";
import { temporaryDirectory } from "../temporary-directory";
import { deployFile, readDeployFile } from "./deploy-files";
import { environmentOf, parseDockerfile, textOf } from "./dockerfile";
import { readWithDocker } from "./env-file-readers";

const directory = "kubernetes";
const read = (name: string) => parse(readDeployFile(`${directory}/${name}`));

const kustomization = read("kustomization.yaml");
const config = read("config.yaml");
const deployment = read("deployment.yaml");
const migrate = read("migrate.yaml");
const pod = deployment.spec.template;
const [container] = pod.spec.containers;
const image = parseDockerfile(deployFile("Dockerfile")).at(-1);
if (!image) throw new Error("deploy/Dockerfile has no stage");

describe("deploy/kubernetes", () => {
	test("applies every file, except the job for upgrades and the database", () => {
		const files = readdirSync(deployFile(directory)).filter((name) => name.endsWith(".yaml"));
		const others = ["kustomization.yaml", "migrate.yaml", "postgres.yaml"];
		expect([...kustomization.resources, ...others].sort()).toEqual(files.sort());
		for (const name of notEmpty(files)) {
			expect(read(name), name).toMatchObject({
				apiVersion: expect.any(String),
				kind: expect.any(String),
			});
		}
	});

	test("has a database beside the servers, in which a commit waits for a standby", () => {
		const { kind, metadata, spec } = read("postgres.yaml");
		expect(kind).toBe("Cluster");
		expect(metadata.namespace).toBe(kustomization.namespace);
		const { synchronous } = spec.postgresql;
		expect(synchronous).toMatchObject({ method: "any", dataDurability: "required" });
		// The database writes although one of its nodes has failed.
		expect(synchronous.number).toBeGreaterThanOrEqual(1);
		expect(spec.instances).toBeGreaterThanOrEqual(synchronous.number + 2);
	});

	test("selects the servers by the labels that they have", () => {
		const { labels } = pod.metadata;
		expect(deployment.spec.selector.matchLabels).toEqual(labels);
		expect(read("service.yaml").spec.selector).toEqual(labels);
		expect(read("disruption-budget.yaml").spec.selector.matchLabels).toEqual(labels);
		expect(read("network-policy.yaml").spec.podSelector.matchLabels).toEqual(labels);
		expect(pod.spec.topologySpreadConstraints[0].labelSelector.matchLabels).toEqual(labels);
	});

	test("uses the port of the image", () => {
		const { PORT } = environmentOf(image);
		expect(container.ports).toEqual([{ name: "http", containerPort: Number(PORT) }]);
		expect(read("service.yaml").spec.ports[0].targetPort).toBe("http");
		expect(read("network-policy.yaml").spec.ingress[0].ports).toEqual([{ port: "http" }]);
	});

	test("runs one image, as a user who is not root and cannot write", () => {
		const [{ name, newName, newTag }] = kustomization.images;
		expect(container.image).toBe(name);
		expect(migrate.spec.template.spec.containers[0].image).toBe(`${newName}:${newTag}`);
		expect(textOf(image, "USER")).toMatch(/^[1-9]\d*:/);
		for (const { spec } of [pod, migrate.spec.template]) {
			expect(spec).toMatchObject({
				automountServiceAccountToken: false,
				securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
				containers: [
					{
						securityContext: {
							allowPrivilegeEscalation: false,
							readOnlyRootFilesystem: true,
							capabilities: { drop: ["ALL"] },
						},
					},
				],
			});
		}
	});

	test("restarts a server that is stuck, and not one whose database is away", () => {
		expect(container.livenessProbe.httpGet.path).toBe("/healthz");
		expect(container.startupProbe.httpGet.path).toBe("/healthz");
		expect(container.readinessProbe.httpGet.path).toBe("/readyz");
		// `/readyz` waits three seconds for a store.
		expect(container.readinessProbe.timeoutSeconds).toBeGreaterThan(3);
		// A starting server waits two minutes for another one that is migrating.
		const { periodSeconds, failureThreshold } = container.startupProbe;
		expect(periodSeconds * failureThreshold).toBeGreaterThan(120);
	});

	test("gives a stopping server the time that it takes", () => {
		const delay = Number(config.data.SHUTDOWN_DELAY_SECONDS);
		expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(delay + 20);
		expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
	});

	test("has settings that start a server, which writes no file", async () => {
		const secret = /create secret generic (\S+) --from-env-file=secret.env/.exec(
			readDeployFile(`${directory}/secret.env.example`),
		)?.[1];
		const sources = [
			{ configMapRef: { name: config.metadata.name } },
			{ secretRef: { name: secret } },
		];
		expect(container.envFrom).toEqual(sources);
		expect(migrate.spec.template.spec.containers[0].envFrom).toEqual(sources);

		const data = temporaryDirectory();
		const { REDIS_URL, ...secrets } = readWithDocker(deployFile(`${directory}/secret.env.example`));
		expect(REDIS_URL).toBeDefined();
		const server = startProcess({
			...environmentOf(image),
			...config.data,
			...secrets,
			BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more",
			MANAGEMENT_KEYS: "management-key-for-kubernetes",
			DATABASE_URL: `file:${join(data, "auth.db")}`,
			DATA_DIR: join(data, "not-needed"),
			HOST: "127.0.0.1",
			PORT: "0",
		});
		const origin = await server.url();
		for (const probe of [
			container.startupProbe,
			container.livenessProbe,
			container.readinessProbe,
		]) {
			expect((await fetch(`${origin}${probe.httpGet.path}`)).status).toBe(200);
		}
		expect(existsSync(join(data, "not-needed"))).toBe(false);
	});
});
