export {
	type Admission,
	createLoadShedder,
	type Load,
	type LoadShedder,
	type LoadShedderOptions,
	type Refusal,
	type RequestSource,
} from "./load-shedder";
