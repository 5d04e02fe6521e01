import { existsSync, readFileSync } from "node:fs";

/** Ticks per second in /proc, on every Linux that Node supports. */
const TICKS = 100;

/** CPU time that processes of this machine have used, in microseconds. Linux only. */
export function cpuOf(processIds: number[]): number {
	return processIds.reduce((sum, pid) => sum + cpuOfOne(pid), 0);
}

/** A connection of the database may have ended since it was listed. */
function cpuOfOne(pid: number): number {
	const path = `/proc/${pid}/stat`;
	if (!existsSync(path)) return 0;
	const stat = readFileSync(path, "utf8");
	// The name of the program, in parentheses, may contain spaces.
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const [user, system] = [Number(fields[11]), Number(fields[12])];
	return ((user + system) / TICKS) * 1e6;
}

export const childrenOf = (pid: number): number[] =>
	readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
