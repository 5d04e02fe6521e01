import { describeSeededDatabase } from "./describe-seeded-database";

describeSeededDatabase("sqlite");
