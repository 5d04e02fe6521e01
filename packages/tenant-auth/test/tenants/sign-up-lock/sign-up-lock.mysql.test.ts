import { services } from "../../../../../testing/services";
import { openMysql } from "../../support/databases/databases";
import { describeSignUpLock } from "./describe-sign-up-lock";

const { mysql } = services;

describeSignUpLock("MariaDB", mysql ? () => openMysql(mysql) : null);
