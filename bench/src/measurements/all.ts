import type { Measurement } from "../setup/measurement";
import { importFiles } from "./import-files/measure-import-files";
import { list } from "./list/measure-list";
import { bytes } from "./measure-bytes";
import { erase } from "./measure-erase";
import { imports } from "./measure-import";
import { memory } from "./measure-memory";
import { partitions } from "./measure-partitions";
import { plans } from "./measure-plans";
import { scale } from "./measure-scale";
import { passwordFlood } from "./password-flood";
import { processes } from "./processes/measure-processes";
import { speed } from "./speed/measure-speed";

/** All of them, in the order in which they run. */
export const measurements = [
	speed,
	scale,
	plans,
	memory,
	list,
	erase,
	imports,
	importFiles,
	passwordFlood,
	processes,
	bytes,
	partitions,
] as Measurement[];
