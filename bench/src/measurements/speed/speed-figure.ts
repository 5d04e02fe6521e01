import type { DatabaseType } from "../../host/database";
import type { RoundTimes } from "../../instruments/rounds";
import { quantile, ratioSpread, type Spread, spreadOf } from "../../instruments/statistics";
import type { VariantName } from "./variants";

/** What a call costs. Times are microseconds. */
export interface Cost {
	time: Spread;
	/** Of all threads of the process. */
	cpu: { p20: number; median: number };
	/** Not known of a server in another process. */
	statements?: number;
	/** Bytes. */
	allocated?: number;
}

export interface SpeedFigure {
	database: DatabaseType;
	operation: string;
	goal?: number;
	costs: Partial<Record<VariantName, Cost>>;
	/** How many calls of ours there are in the time of one of plain Better Auth. */
	times: { cpu: number; time: Spread };
}

type Measured = { name: VariantName; rounds: RoundTimes } & Pick<Cost, "statements" | "allocated">;

export function speedFigure(
	figure: Omit<SpeedFigure, "costs" | "times">,
	measured: Measured[],
): SpeedFigure {
	const costs = Object.fromEntries(
		measured.map(({ name, rounds, ...more }) => [name, { ...costOf(rounds), ...more }]),
	);
	const timesOf = (wanted: VariantName) =>
		measured.find(({ name }) => name === wanted)?.rounds ?? { time: [], cpu: [] };
	const [plain, ours] = [timesOf("plain"), timesOf("ours")];
	return {
		...figure,
		costs,
		times: {
			cpu: quantile(plain.cpu, 0.2) / quantile(ours.cpu, 0.2),
			time: ratioSpread(plain.time, ours.time),
		},
	};
}

const costOf = ({ time, cpu }: RoundTimes): Cost => ({
	time: spreadOf(time),
	cpu: { p20: quantile(cpu, 0.2), median: quantile(cpu, 0.5) },
});

/** A goal is met only if both the CPU time and the time meet it. */
export function verdict({ goal, times }: Pick<SpeedFigure, "goal" | "times">): string {
	if (!goal) return "";
	const lower = Math.min(times.cpu, times.time.median);
	return lower >= goal ? `${goal} met` : `${goal} MISSED by ${(goal - lower).toFixed(2)}`;
}
