/**
 * Measures how heavy `tenantAuth()` is beside plain Better Auth. It fails if a figure is above its limit
 * in limits.json. The goal beside the limit is where the figure should come to.
 *
 *   npm run weight
 */
import { printTable } from "../report/print-table";
import { measure } from "./figures";
import limits from "./limits.json" with { type: "json" };

const figures = await measure();
const rows = figures.map(([row, figure]) => ({ row, figure, ...limits[row] }));
printTable({
	title: "tenantAuth() beside plain Better Auth",
	columns: ["", "now", "limit", "goal"],
	rows: rows.map(({ row, figure, limit, goal }) => [row, figure, limit ?? "", goal]),
});
for (const { row, figure, limit } of rows) {
	if (limit === null || figure <= limit) continue;
	console.error(
		`${row}: ${figure} is more than the limit in bench/src/weight/limits.json, ${limit}`,
	);
	process.exitCode = 1;
}
