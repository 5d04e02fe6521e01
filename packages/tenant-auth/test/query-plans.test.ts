import { describeQueryPlans } from "./support/query-plan-behaviours";

describeQueryPlans(async () => ({ type: "sqlite", close: async () => {} }));
