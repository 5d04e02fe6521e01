import { describeQueryPlans } from "../support/query-plan-behaviors";

describeQueryPlans(async () => ({ type: "sqlite", close: async () => {} }));
