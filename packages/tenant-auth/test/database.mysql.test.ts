import { describe } from "vitest";
import { services } from "../../../testing/services";
import { openMysql } from "./support/databases";
import { idKinds } from "./support/id-kinds";
import { describeMainBehaviours } from "./support/main-behaviours";

describe.skipIf(!services.mysql).each(idKinds)("on MariaDB with %s", (_, options) => {
	describeMainBehaviours(() => openMysql(String(services.mysql)), options);
});
