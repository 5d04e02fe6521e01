import { execFileSync } from "node:child_process";
import { describe, expect, onTestFinished, test } from "vitest";
import { services } from "../../../../testing/services";
import { deployFile, repository } from "./deploy-files";

const docker = (...args: string[]) =>
	execFileSync("docker", args, { cwd: repository, encoding: "utf8", stdio: "pipe" }).trim();

/** `image.all.test.ts` has the checks that need no daemon. */
describe.skipIf(!services.docker)("the image that Docker builds", () => {
	test("runs commands, and a healthy server that is not root", async () => {
		const image = docker("build", "--quiet", "--file", deployFile("Dockerfile"), ".");
		onTestFinished(() => void docker("rmi", "--force", image));
		expect(docker("run", "--rm", image, "--help")).toContain("Usage: tenant-auth");

		const container = docker("run", "--detach", image);
		onTestFinished(() => void docker("rm", "--force", "--volumes", container));
		const health = () => docker("inspect", "--format", "{{.State.Health.Status}}", container);
		await expect.poll(health).toBe("healthy");
		expect(docker("exec", container, "id", "--user")).not.toBe("0");
	});
});
