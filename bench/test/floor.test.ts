import { describeFloor } from "./describe-floor";

describeFloor("sqlite");
