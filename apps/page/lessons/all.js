// The lessons in their order.
import adding from "./adding.js";
import coins from "./coins.js";
import deciding from "./deciding.js";
import hidden from "./hidden.js";
import logistic from "./logistic.js";
import naive_bayes from "./naive_bayes.js";
import one_dimension from "./one_dimension.js";
import own_table from "./own_table.js";
import two_classes from "./two_classes.js";
import words from "./words.js";

export const LESSONS = [two_classes, one_dimension, naive_bayes, adding, coins, hidden, logistic, words, deciding, own_table];
