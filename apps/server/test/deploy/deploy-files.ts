import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository, without a slash at the end. */
export const repository = fileURLToPath(new URL("../../../..", import.meta.url)).replace(/\/$/, "");

/** The path of a file in `deploy`. */
export const deployFile = (name: string) => join(repository, "deploy", name);

export const readDeployFile = (name: string) => readFileSync(deployFile(name), "utf8");
