import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { StartError } from "../start-error";
import { parseUrl, type Read } from "./environment";

/** Which database, and where. */
export type DatabaseAddress =
	| { type: "sqlite"; file: string; isDefault: boolean }
	| { type: "postgres" | "mysql"; url: string };

const sentence =
	"DATABASE_URL must be file: and a path, or a postgres:// or mysql:// address that names a database.";

/** @param base the directory that a relative path starts from */
export function readDatabase(read: Read, dataDir: string, base: string): DatabaseAddress {
	const value = read("DATABASE_URL");
	if (value === null) return { type: "sqlite", file: join(dataDir, "auth.db"), isDefault: true };
	if (value.startsWith("file:")) {
		return { type: "sqlite", file: filePath(value, base), isDefault: false };
	}
	const url = parseUrl(value, "postgres:", "postgresql:", "mysql:");
	if (!url || url.pathname.length < 2) throw new StartError(sentence);
	return { type: url.protocol === "mysql:" ? "mysql" : "postgres", url: value };
}

function filePath(value: string, base: string): string {
	const path = value.slice("file:".length);
	if (path === "" || path === "/" || /[?#]/.test(path)) throw new StartError(sentence);
	if (!path.startsWith("//")) return resolve(base, path);
	try {
		return fileURLToPath(value);
	} catch (cause) {
		throw new StartError(sentence, { cause });
	}
}

export function readRedisUrl(read: Read): string | null {
	const value = read("REDIS_URL");
	if (value === null || parseUrl(value, "redis:", "rediss:")) return value;
	throw new StartError("REDIS_URL must be a redis:// or rediss:// address.");
}
